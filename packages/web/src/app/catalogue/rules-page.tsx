import type { ListedRule, RuleCatalogue } from '@omen/server/api'
import { useDeferredValue, useEffect, useMemo, useRef, useState } from 'react'
import { useService } from '../account.js'
import { Page } from '../frame/page.js'
import { ResourceView } from '../frame/resource-view.js'
import { Link, replaceAddressSoon, useAddress } from '../navigation.js'
import { pathTo } from '../routes.js'
import { useResource } from '../use-resource.js'
import { Filters, Severity } from './filters.js'
import { queryAddress, readQuery, rememberSearch } from './query-address.js'
import { EVERYTHING, indexRules, type Query, search } from './search.js'

/** Rules per page of the list: rendering thousands at once would be slow. */
const PAGE_SIZE = 60

/** The rule catalogue: search as you type and filters, both kept in the URL. */
export function RulesPage() {
  const service = useService()
  const rules = useResource('catalogue', service.listRules)
  return (
    <Page title="Rules" lead="The problems that omen detects, with their causes and what to do about them.">
      <ResourceView resource={rules} what="the rules">
        {(catalogue) => <Catalogue catalogue={catalogue} />}
      </ResourceView>
    </Page>
  )
}

function Catalogue({ catalogue }: { readonly catalogue: RuleCatalogue }) {
  const [query, setQuery] = useQuery()
  const settled = useDeferredValue(query)
  const index = useMemo(() => indexRules(catalogue.rules), [catalogue.rules])
  const found = useMemo(() => search(index, settled), [index, settled])
  useEffect(() => rememberSearch(queryAddress(settled)), [settled])
  return (
    <>
      <SearchField text={query.text} onType={(text) => setQuery({ ...query, text })} />
      <Filters rules={catalogue.rules} query={query} onChange={setQuery} />
      <p role="status" className="count-line">
        {countLine(found.length, catalogue)}
      </p>
      {found.length === 0 && catalogue.rules.length > 0 && (
        <p>
          <button type="button" className="secondary" onClick={() => setQuery(EVERYTHING)}>
            Show all rules
          </button>
        </p>
      )}
      <RuleList key={queryAddress(settled)} rules={found} />
    </>
  )
}

function countLine(found: number, { rules, version, private_version }: RuleCatalogue): string {
  if (rules.length === 0) return 'There are no rules yet.'
  const count = found === rules.length ? `${found}` : found === 0 ? 'No' : `${found} of ${rules.length}`
  const own = private_version === undefined ? '' : ` · your organization’s rules ${private_version}`
  return `${count} ${rules.length === 1 && found === 1 ? 'rule' : 'rules'} · version ${version}${own}`
}

/** The search in the URL. Input applies at once, and reaches the URL a moment later. */
function useQuery(): readonly [Query, (query: Query) => void] {
  const { search: inUrl } = useAddress()
  const [typed, setTyped] = useState<{ readonly query: Query; readonly over: string }>()
  const query = typed !== undefined && typed.over === inUrl ? typed.query : readQuery(inUrl)
  useEffect(() => {
    return typed === undefined ? undefined : replaceAddressSoon(queryAddress(typed.query))
  }, [typed])
  return [query, (next) => setTyped({ query: next, over: inUrl })]
}

function SearchField({ text, onType }: { readonly text: string; readonly onType: (text: string) => void }) {
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isTyping = event.target instanceof HTMLElement && event.target.matches('input, select, textarea')
      if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return
      event.preventDefault()
      input.current?.focus()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
  return (
    <div className="field search">
      <label htmlFor="search">Search</label>
      <div className="input">
        <input
          ref={input}
          id="search"
          type="search"
          value={text}
          placeholder="kafka disk, CRE-2026-10001, out of memory"
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          aria-keyshortcuts="/"
          onChange={(event) => onType(event.target.value)}
        />
      </div>
    </div>
  )
}

function RuleList({ rules }: { readonly rules: readonly ListedRule[] }) {
  const [shown, setShown] = useState(PAGE_SIZE)
  return (
    <>
      <ul className="rules">
        {rules.slice(0, shown).map((rule) => (
          <RuleRow key={rule.id} rule={rule} />
        ))}
      </ul>
      {rules.length > shown && (
        <p className="actions">
          <button type="button" className="secondary" onClick={() => setShown(shown + PAGE_SIZE)}>
            Show {Math.min(PAGE_SIZE, rules.length - shown)} more
          </button>
        </p>
      )}
    </>
  )
}

function RuleRow({ rule }: { readonly rule: ListedRule }) {
  const { id, title, severity_label, applications, package: origin } = rule
  return (
    <li>
      <Link to={pathTo('rule', id)}>
        <Severity label={severity_label} />
        <span className="title">{title === '' ? id : title}</span>
        <span className="facts">
          <code>{id}</code>
          {applications.length > 0 && <span>{applications.join(', ')}</span>}
          {origin === 'private' && <span className="own">Your organization</span>}
        </span>
      </Link>
    </li>
  )
}
