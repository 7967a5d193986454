import { useId } from 'react'
import { useCall } from '../../controls/use-request.js'
import { useService } from '../account.js'
import type { Member, MemberList, Role } from '../api/messages.js'
import { AskFirst } from '../frame/confirm-button.js'
import { Shown, Trouble } from '../frame/resource-view.js'
import { Moment } from '../frame/time.js'
import { type Remote, useRemote } from '../use-resource.js'
import { OrganizationPage } from './organization-page.js'

/** Who belongs to the organization, and who may administer it. */
export function MembersPage() {
  const service = useService()
  const remote = useRemote('members', service.listMembers)
  return (
    <OrganizationPage
      name="members"
      title="Members"
      lead="Everybody who has signed in. Who may, is decided by the assignments at your identity provider."
    >
      <Shown remote={remote} what="the members">
        {({ members }) => (
          <ul className="records">
            {members.map((member) => (
              <MemberRow key={member.id} member={member} remote={remote} />
            ))}
          </ul>
        )}
      </Shown>
    </OrganizationPage>
  )
}

interface RowProps {
  readonly member: Member
  readonly remote: Remote<MemberList>
}

function MemberRow({ member, remote }: RowProps) {
  const service = useService()
  const { id, email, name, you, signed_in_at, sessions } = member
  const isNamed = name !== null && name !== '' && name !== email
  const others = () => (remote.value?.members ?? []).filter((other) => other.id !== id)
  return (
    <li>
      <div>
        <h2>
          {isNamed ? name : email} {you && <span className="badge">You</span>}
        </h2>
        <p className="facts">
          {isNamed && <span>{email}</span>}
          <span>
            last sign-in <Moment at={signed_in_at} />
          </span>
          <span>
            {sessions} {sessions === 1 ? 'session' : 'sessions'}
          </span>
        </p>
      </div>
      <RoleChoice member={member} remote={remote} />
      <AskFirst
        label="Remove"
        name={`Remove ${email}`}
        question={`Remove ${email}?`}
        yes="Remove"
        make={() => service.removeMember(id)}
        done={() => remote.put({ members: others() })}
      >
        <p>The account and all its sessions end at once.</p>
        <p>
          Who is still assigned at your identity provider can sign in anew, as a member. To keep somebody out, take the
          assignment away there first.
        </p>
      </AskFirst>
    </li>
  )
}

function RoleChoice({ member, remote }: RowProps) {
  const service = useService()
  const call = useCall()
  const id = useId()
  const choose = (role: Role) =>
    call.run(
      () => service.setRole(member.id, role),
      (changed) => {
        const members = (remote.value?.members ?? []).map((other) => (other.id === changed.id ? changed : other))
        remote.put({ members })
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
          disabled={call.pending}
          onChange={(event) => choose(event.target.value as Role)}
        >
          <option value="administrator">Administrator</option>
          <option value="member">Member</option>
        </select>
      </div>
      {call.failure !== undefined && <Trouble failure={call.failure} wait={call.wait} />}
    </div>
  )
}
