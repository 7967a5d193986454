import type { ListedRule } from '@omen/server/api'
import { useMemo } from 'react'
import { SelectField } from '../../controls/field.js'
import { SEVERITIES } from './query-address.js'
import { countValues, EVERYTHING, type Query } from './search.js'

export interface FiltersProps {
  readonly rules: readonly ListedRule[]
  readonly query: Query
  readonly onChange: (query: Query) => void
}

/** Filters by severity, category and tag and, where an organization has private rules, by their origin. */
export function Filters({ rules, query, onChange }: FiltersProps) {
  const severities = useMemo(() => new Set(rules.map(({ severity_label }) => severity_label)), [rules])
  const categories = useMemo(() => countValues(rules, ({ category }) => [category]), [rules])
  const tags = useMemo(() => countValues(rules, ({ tags: own }) => own), [rules])
  const origins = useMemo(() => countValues(rules, (rule) => [rule.package]), [rules])
  const isFiltered = JSON.stringify({ ...query, text: '' }) !== JSON.stringify(EVERYTHING)
  const toggle = (severity: string) => {
    const chosen = query.severities.includes(severity)
      ? query.severities.filter((other) => other !== severity)
      : [...query.severities, severity]
    onChange({ ...query, severities: SEVERITIES.filter((label) => chosen.includes(label)) })
  }
  return (
    <div className="filters">
      <fieldset className="chips">
        <legend>Severity</legend>
        {SEVERITIES.filter((label) => severities.has(label)).map((label) => (
          <label key={label} data-severity={label}>
            <input type="checkbox" checked={query.severities.includes(label)} onChange={() => toggle(label)} />
            {label}
          </label>
        ))}
      </fieldset>
      <Choice
        label="Category"
        all="All categories"
        value={query.category}
        values={categories}
        onChoose={(category) => onChange({ ...query, category })}
      />
      <Choice
        label="Tag"
        all="All tags"
        value={query.tag}
        values={tags}
        onChoose={(tag) => onChange({ ...query, tag })}
      />
      {origins.length > 1 && (
        <Choice
          label="Origin"
          all="All origins"
          value={query.origin}
          values={origins}
          labels={ORIGINS}
          onChoose={(origin) => onChange({ ...query, origin: origin as Query['origin'] })}
        />
      )}
      {isFiltered && (
        <button type="button" className="plain" onClick={() => onChange({ ...EVERYTHING, text: query.text })}>
          Clear filters
        </button>
      )}
    </div>
  )
}

/** Labels by package. */
const ORIGINS: Readonly<Record<string, string>> = { community: 'Community', private: 'Your organization' }

interface ChoiceProps {
  readonly label: string
  readonly all: string
  readonly value: string
  readonly values: readonly (readonly [value: string, rules: number])[]
  /** Labels of values that are not shown as they are. */
  readonly labels?: Readonly<Record<string, string>>
  readonly onChoose: (value: string) => void
}

function Choice({ label, all, value, values, labels = {}, onChoose }: ChoiceProps) {
  // The URL can name a value that no rule has.
  const unknown = value === '' || values.some(([known]) => known === value) ? [] : [[value, 0] as const]
  const options = [...unknown, ...values].map(
    ([known, count]) => [known, `${labels[known] ?? known} (${count})`] as const,
  )
  return (
    <SelectField
      className="choice-field"
      label={label}
      value={value}
      options={[['', all], ...options]}
      onChoose={onChoose}
    />
  )
}

/** The severity of a problem, coloured. */
export function Severity({ label }: { readonly label: string }) {
  return (
    <span className="severity" data-severity={label}>
      {label}
    </span>
  )
}
