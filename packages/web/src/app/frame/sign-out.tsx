import { isWebAddress } from '../../api/client.js'
import { useCall } from '../../controls/use-call.js'
import { useService } from '../account.js'
import { tellSignedOut } from '../other-tabs.js'
import { Trouble } from './trouble.js'

const SIGNED_OUT = '/v1/auth/signed-out'

/** Ends the session here and, where it has a way to do that, at the identity provider. */
export function SignOut({ className }: { readonly className: string }) {
  const service = useService()
  const call = useCall()
  const signOut = () =>
    call.run(service.signOut, ({ logout_url }) => {
      tellSignedOut()
      location.assign(logout_url !== null && isWebAddress(logout_url) ? logout_url : SIGNED_OUT)
    })
  return (
    <>
      <button type="button" className={className} aria-disabled={call.pending} onClick={signOut}>
        Sign out
      </button>
      {call.failure !== undefined && <Trouble failure={call.failure} wait={call.wait} onRetry={signOut} />}
    </>
  )
}
