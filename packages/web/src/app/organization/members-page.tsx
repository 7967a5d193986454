import type { Member, MemberList, Role } from '@omen/server/api'
import { useId } from 'react'
import { useRequest } from '../../controls/use-request.js'
import { useService } from '../account.js'
import { ConfirmButton } from '../frame/confirm-button.js'
import { RequestFailurePanel, ResourceView } from '../frame/resource-view.js'
import { RelativeTime } from '../frame/time.js'
import { type Resource, useResource } from '../use-resource.js'
import { OrganizationPage } from './organization-page.js'

/** The members of the organization and their roles. */
export function MembersPage() {
  const service = useService()
  const resource = useResource('members', service.listMembers)
  return (
    <OrganizationPage
      name="members"
      title="Members"
      lead="Everyone who has signed in. The assignments at your identity provider decide who may sign in."
    >
      <ResourceView resource={resource} what="the members">
        {({ members }) => (
          <ul className="records">
            {members.map((member) => (
              <MemberRow key={member.id} member={member} resource={resource} />
            ))}
          </ul>
        )}
      </ResourceView>
    </OrganizationPage>
  )
}

interface RowProps {
  readonly member: Member
  readonly resource: Resource<MemberList>
}

function MemberRow({ member, resource }: RowProps) {
  const service = useService()
  const { id, email, name, you, signed_in_at, sessions } = member
  const isNamed = name !== email
  const others = () => (resource.value?.members ?? []).filter((other) => other.id !== id)
  return (
    <li>
      <div>
        <h2>
          {isNamed ? name : email} {you && <span className="badge">You</span>}
        </h2>
        <p className="facts">
          {isNamed && <span>{email}</span>}
          <span>
            last sign-in <RelativeTime at={signed_in_at} />
          </span>
          <span>
            {sessions} {sessions === 1 ? 'session' : 'sessions'}
          </span>
        </p>
      </div>
      <RoleChoice member={member} resource={resource} />
      <ConfirmButton
        label="Remove"
        name={`Remove ${email}`}
        question={`Remove ${email}?`}
        confirmLabel="Remove"
        send={() => service.removeMember(id)}
        onSuccess={() => resource.put({ members: others() })}
      >
        <p>The account is deleted and all its sessions end immediately.</p>
        <p>
          A user who is still assigned at your identity provider can sign in again, as a member. To prevent that, remove
          the assignment there first.
        </p>
      </ConfirmButton>
    </li>
  )
}

function RoleChoice({ member, resource }: RowProps) {
  const service = useService()
  const request = useRequest()
  const id = useId()
  const choose = (role: Role) =>
    request.run(
      () => service.setRole(member.id, role),
      (changed) => {
        const members = (resource.value?.members ?? []).map((other) => (other.id === changed.id ? changed : other))
        resource.put({ members })
      },
    )
  return (
    <div className="role">
      <label htmlFor={id} className="off-screen">
        Role of {member.email}
      </label>
      <div className="input">
        <select
          id={id}
          value={member.role}
          disabled={request.pending}
          onChange={(event) => choose(event.target.value as Role)}
        >
          <option value="administrator">Administrator</option>
          <option value="member">Member</option>
        </select>
      </div>
      <RequestFailurePanel request={request} />
    </div>
  )
}
