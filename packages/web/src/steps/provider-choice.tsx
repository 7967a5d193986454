import type { ProviderId } from '../providers/guide.js'
import { PROVIDERS } from '../providers/providers.js'

export interface ProviderChoiceProps {
  readonly chosen: ProviderId | ''
  readonly onChoose: (id: ProviderId) => void
}

/** The identity providers that the page has instructions for, as cards of which one is chosen. */
export function ProviderChoice({ chosen, onChoose }: ProviderChoiceProps) {
  return (
    <fieldset className="choice">
      <legend>Your identity provider</legend>
      <div className="cards">
        {PROVIDERS.map(({ id, name }) => (
          <label key={id}>
            <input type="radio" name="provider" value={id} checked={id === chosen} onChange={() => onChoose(id)} />
            <span>{name}</span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}
