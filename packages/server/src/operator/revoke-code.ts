import { recordAudit } from '../audit/audit.js'
import { canonicalCode, hashCode } from '../onboarding/codes.js'
import { CODE_TABLE, codeStateAt } from '../onboarding/states.js'
import { Problem } from '../problem.js'
import type { Queries } from '../store/database.js'
import { type Code, findCodeByHash, lockCode, markRevoked } from '../store/onboarding/codes.js'
import { lockOpenTransaction, markSuperseded } from '../store/onboarding/transactions.js'
import { codeRecordOf } from './code-record.js'
import { OPERATOR, type OperationsParts } from './create-operations.js'
import type { CodeRecord } from './operations.js'

const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Revokes a code, given as itself or by its id, and with it its tokens and its open transaction. Again does no harm. */
export function revokeCode({ database, clock }: OperationsParts, text: string): Promise<CodeRecord> {
  return database.transaction(async (queries) => {
    const code = await lockCodeOf(queries, text.trim())
    if (!code) {
      throw new Problem('invalid_code', 'There is no such code. Give the code or its id: see omen-server code list.')
    }
    const now = clock()
    const outcome = CODE_TABLE[codeStateAt(code, now)].revoke
    if ('problem' in outcome) {
      const remove = `omen-server org remove ${JSON.stringify(code.organization)}`
      throw new Problem(outcome.problem, `The onboarding with this code is complete. To end the connection: ${remove}`)
    }
    if (code.revokedAt) return codeRecordOf(code, now)
    await markRevoked(queries, code.id, now)
    const open = await lockOpenTransaction(queries, code.id)
    if (open) await markSuperseded(queries, open.id)
    await recordAudit(queries, {
      at: now,
      actor: OPERATOR,
      action: 'code.revoked',
      org: code.organization,
      detail: { code: code.id, ...(open && { transaction: open.id }) },
    })
    return codeRecordOf({ ...code, revokedAt: now }, now)
  })
}

async function lockCodeOf(queries: Queries, text: string): Promise<Code | undefined> {
  if (ID.test(text)) return lockCode(queries, text.toLowerCase())
  const canonical = canonicalCode(text)
  const found = canonical === undefined ? undefined : await findCodeByHash(queries, hashCode(canonical))
  return found && lockCode(queries, found.id)
}
