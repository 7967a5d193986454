import type { ReactNode } from 'react'
import { isWebAddress } from '../..//api/request.js'
import { CopyButton, CopyValue } from '../../controls/copy.js'
import { Icon } from '../../controls/icon.js'
import { useService } from '../account.js'
import type { WholeRule } from '../api/messages.js'
import { Page } from '../frame/page.js'
import { Shown } from '../frame/resource-view.js'
import { Link } from '../navigation.js'
import { pathTo } from '../routes.js'
import { useRemote } from '../use-resource.js'
import { Severity } from './filters.js'
import { Markdown } from './markdown.js'
import { lastSearch, queryAddress } from './query-address.js'
import { EVERYTHING } from './search.js'

/** What a rule says, the most urgent first: whoever comes here at night has the problem. */
const SECTIONS = [
  ['mitigation', 'What to do'],
  ['cause', 'Cause'],
  ['impact', 'Impact'],
] as const

/** One rule: what it means, what to do, and its document. */
export function RulePage({ id }: { readonly id: string }) {
  const service = useService()
  const rule = useRemote(`rule ${id}`, () => service.readRule(id))
  const title = rule.value === undefined || rule.value.title === '' ? id : rule.value.title
  return (
    <Page key={id} title={title} tab={`${id} ${title === id ? '' : title}`.trim()} above={<WayBack />}>
      <Shown remote={rule} what="the rule">
        {(value) => <Rule rule={value} />}
      </Shown>
    </Page>
  )
}

function WayBack() {
  return (
    <p className="way-back">
      <Link to={lastSearch()}>{lastSearch() === pathTo('rules') ? 'All rules' : 'Back to the search'}</Link>
    </p>
  )
}

function Rule({ rule }: { readonly rule: WholeRule }) {
  return (
    <>
      <Facts rule={rule} />
      <Markdown text={rule.description} />
      {SECTIONS.filter(([field]) => rule[field] !== '').map(([field, heading]) => (
        <Section key={field} heading={heading}>
          <Markdown text={rule[field]} />
        </Section>
      ))}
      {rule.references.length > 0 && (
        <Section heading="References">
          <ul className="references">
            {rule.references.map((reference) => (
              <li key={reference}>
                <Reference address={reference} />
              </li>
            ))}
          </ul>
        </Section>
      )}
      <Section heading="On your machine">
        <CopyValue value={`omen explain ${rule.id}`} what="the command" />
      </Section>
      <Section heading="The rule">
        <div className="command document">
          <CopyButton text={rule.yaml} what="the rule" />
          <pre>
            <code>{rule.yaml}</code>
          </pre>
        </div>
      </Section>
    </>
  )
}

function Section({ heading, children }: { readonly heading: string; readonly children: ReactNode }) {
  return (
    <section>
      <h2>{heading}</h2>
      {children}
    </section>
  )
}

function Facts({ rule }: { readonly rule: WholeRule }) {
  const { id, severity_label, category, tags, applications, version, package: origin } = rule
  return (
    <div className="rule-facts">
      <Severity label={severity_label} />
      <p className="facts">
        <code>{id}</code>
        {applications.length > 0 && <span>{applications.join(', ')}</span>}
        <span>
          {origin === 'private' ? 'Your organization’s own' : 'Community'} {version}
        </span>
      </p>
      <ul className="tags" aria-label="Category and tags">
        {category !== '' && (
          <li>
            <Link to={queryAddress({ ...EVERYTHING, category })}>{category}</Link>
          </li>
        )}
        {tags.map((tag) => (
          <li key={tag}>
            <Link to={queryAddress({ ...EVERYTHING, tag })}>#{tag}</Link>
          </li>
        ))}
      </ul>
    </div>
  )
}

function Reference({ address }: { readonly address: string }) {
  if (!isWebAddress(address)) return <>{address}</>
  return (
    <a href={address} target="_blank" rel="noopener noreferrer">
      {address} <Icon name="open" />
      <span className="off-screen"> (opens a new tab)</span>
    </a>
  )
}
