import type { CatalogueRule } from '@omen/server/api'
import type { ReactNode } from 'react'
import { isWebUrl } from '../../api/request.js'
import { CopyButton, CopyValue } from '../../controls/copy.js'
import { Icon } from '../../controls/icon.js'
import { useService } from '../account.js'
import { Page } from '../frame/page.js'
import { ResourceView } from '../frame/resource-view.js'
import { Link } from '../navigation.js'
import { pathTo } from '../routes.js'
import { useResource } from '../use-resource.js'
import { Severity } from './filters.js'
import { Markdown } from './markdown.js'
import { lastSearch, queryAddress } from './query-address.js'
import { EVERYTHING } from './search.js'

/** The sections of a rule, the most urgent first. */
const SECTIONS = [
  ['mitigation', 'What to do'],
  ['cause', 'Cause'],
  ['impact', 'Impact'],
] as const

/** One rule: what it means, what to do, and its YAML document. */
export function RulePage({ id }: { readonly id: string }) {
  const service = useService()
  const rule = useResource(`rule ${id}`, () => service.readRule(id))
  const title = rule.value === undefined || rule.value.title === '' ? id : rule.value.title
  return (
    <Page key={id} title={title} tab={`${id} ${title === id ? '' : title}`.trim()} above={<BackLink />}>
      <ResourceView resource={rule} what="the rule">
        {(value) => <Rule rule={value} />}
      </ResourceView>
    </Page>
  )
}

function BackLink() {
  return (
    <p className="back-link">
      <Link to={lastSearch()}>{lastSearch() === pathTo('rules') ? 'All rules' : 'Back to the search'}</Link>
    </p>
  )
}

function Rule({ rule }: { readonly rule: CatalogueRule }) {
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
                <Reference url={reference} />
              </li>
            ))}
          </ul>
        </Section>
      )}
      <Section heading="In the terminal">
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

function Facts({ rule }: { readonly rule: CatalogueRule }) {
  const { id, severity_label, category, tags, applications, version, package: origin } = rule
  return (
    <div className="rule-facts">
      <Severity label={severity_label} />
      <p className="facts">
        <code>{id}</code>
        {applications.length > 0 && <span>{applications.join(', ')}</span>}
        <span>
          {origin === 'private' ? 'Your organization' : 'Community'} {version}
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

function Reference({ url }: { readonly url: string }) {
  if (!isWebUrl(url)) return <>{url}</>
  return (
    <a href={url} target="_blank" rel="noopener noreferrer">
      {url} <Icon name="open" />
      <span className="off-screen"> (opens in a new tab)</span>
    </a>
  )
}
