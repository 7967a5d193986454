import {
  actionsOf,
  type Example,
  FLAG_GROUPS,
  type Flag,
  type FlagGroup,
  flagsOf,
  type Program,
  usageOf,
  type Verb,
  type VerbGroup,
} from './program.js'
import { usageFailure } from './suggest.js'
import { OMEN } from './verbs.js'

/** Longer lines are hard to read, even in a wide window. */
const WIDEST = 100
/** In a narrower window the terminal wraps the lines. */
const NARROWEST = 40

/**
 * A page of help: for the program without a topic, else for a verb (`['explain']`, `['rules', 'list']`) or a group of verbs
 * (`['rules']`). Plain text, at most `columns` wide for 40 columns and more.
 *
 * @example
 * process.stdout.write(renderHelp(['rules', 'lint'], 80))
 */
export function renderHelp(topic: readonly string[], columns: number, program: Program = OMEN): string {
  const width = Math.min(WIDEST, Math.max(NARROWEST, Math.floor(columns) || 80))
  const sections = sectionsOf(topic, program, width).filter((section) => section !== '')
  return `${sections.join('\n\n')}\n`
}

function sectionsOf(topic: readonly string[], program: Program, width: number): readonly string[] {
  if (topic.length === 0) return mainPage(program, width)
  const group = topic.length === 1 ? program.groups.find(({ word }) => word === topic[0]) : undefined
  if (group) return groupPage(program, group, width)
  const verb = program.verbs.find(({ words }) => words.length > 0 && words.join(' ') === topic.join(' '))
  if (verb) return verbPage(program, verb, width)
  throw usageFailure(`there is no help for ${JSON.stringify(topic.join(' '))}`, program.name)
}

function mainPage(program: Program, width: number): readonly string[] {
  const [main] = program.verbs
  const alternatives = program.verbs.filter(({ byFlag }) => byFlag !== undefined).map(({ name }) => name)
  const flags = program.flags.filter(
    ({ verbs }) => verbs === 'all' || [main!.name, ...alternatives].some((name) => verbs.includes(name)),
  )
  return [
    paragraph(program.summary, width),
    usage(program.usage),
    ...main!.about.map((text) => paragraph(text, width)),
    ...flagSections(flags, width),
    section('Verbs', verbRows(program), width),
    examples(main!.examples, width),
    ...program.tables.map(({ heading: title, rows }) => section(title, rows, width)),
    paragraph(`Help for a verb: ${program.name} help <verb>`, width),
  ]
}

function groupPage(program: Program, group: VerbGroup, width: number): readonly string[] {
  const verbs = program.verbs.filter(({ words }) => words[0] === group.word)
  return [
    paragraph(`${group.summary}.`, width),
    usage([`${program.name} ${group.word} ${actionsOf(program, group.word).join('|')} …`]),
    ...group.about.map((text) => paragraph(text, width)),
    section('Verbs', verbs.map(rowOf), width),
    examples(group.examples, width),
    paragraph(`Help for one: ${program.name} help ${group.word} ${actionsOf(program, group.word)[0]}`, width),
  ]
}

function verbPage(program: Program, verb: Verb, width: number): readonly string[] {
  const flags = flagsOf(program, verb)
  const hasOwnFlags = flags.some(({ verbs }) => verbs !== 'all')
  const call = [program.name, ...verb.words, ...(hasOwnFlags ? ['[flags]'] : []), usageOf(verb.operands)]
  return [
    paragraph(`${verb.summary}.`, width),
    usage([call.join(' ').trimEnd()]),
    ...verb.about.map((text) => paragraph(text, width)),
    ...flagSections(flags, width),
    examples(verb.examples, width),
  ]
}

function usage(calls: readonly string[]): string {
  return calls.map((call, index) => `${index === 0 ? 'Usage: ' : '       '}${call}`).join('\n')
}

/** A group is one row among the verbs. */
function verbRows(program: Program): readonly Row[] {
  const seen = new Set<string>()
  return program.verbs.flatMap((verb): readonly Row[] => {
    const [first] = verb.words
    if (first === undefined || seen.has(first)) return []
    seen.add(first)
    const group = program.groups.find(({ word }) => word === first)
    return group ? [[`${first} ${actionsOf(program, first).join('|')}`, group.summary]] : [rowOf(verb)]
  })
}

function rowOf(verb: Verb): Row {
  return [[...verb.words, usageOf(verb.operands)].join(' ').trimEnd(), verb.summary]
}

function flagSections(flags: readonly Flag[], width: number): readonly string[] {
  // All sections share one width, so that their columns align.
  const rows = flags.map(flagRow)
  const labelWidth = Math.max(...rows.map(([label]) => label.length))
  return (Object.keys(FLAG_GROUPS) as FlagGroup[]).map((group) => {
    const inGroup = rows.filter((_, index) => flags[index]!.group === group)
    return section(FLAG_GROUPS[group], inGroup, width, labelWidth)
  })
}

function flagRow(flag: Flag): Row {
  const short = flag.short === undefined ? '    ' : `-${flag.short}, `
  const argument = flag.argument === undefined ? '' : ` <${flag.argument}>`
  const choices = flag.choices ? `: ${flag.choices.join(', ')}` : ''
  return [`${short}--${flag.name}${argument}`, `${flag.about}${choices}`]
}

function section(title: string, rows: readonly Row[], width: number, labelWidth?: number): string {
  return rows.length === 0 ? '' : `${heading(title)}\n${twoColumns(rows, width, labelWidth)}`
}

function examples(list: readonly Example[], width: number): string {
  if (list.length === 0) return ''
  // A command is never wrapped, so that it can be copied.
  const lines = list.map(({ does, line }) => `${paragraph(`# ${does}`, width, 2)}\n  ${line}`)
  return `${heading('Examples')}\n${lines.join('\n')}`
}

/** A label and its explanation. */
type Row = readonly [label: string, text: string]

const INDENT = 2
const GAP = 2
/** If the second column would be narrower than this, it goes below the first. */
const LEAST_TEXT = 24

function heading(title: string): string {
  return `${title}:`
}

/** Wraps text to the width, each line indented. A longer word gets its own line. */
function paragraph(text: string, width: number, indent = 0): string {
  const margin = ' '.repeat(indent)
  return wrap(text, width - indent)
    .map((line) => margin + line)
    .join('\n')
}

/**
 * Rows in two aligned columns, the second one wrapped; in a narrow window the second column goes below the first.
 *
 * @example
 * twoColumns([['-q, --quiet', 'Print nothing']], 80) // '  -q, --quiet  Print nothing'
 */
function twoColumns(rows: readonly Row[], width: number, labelWidth?: number): string {
  const widest = labelWidth ?? Math.max(...rows.map(([label]) => label.length))
  const textColumn = INDENT + widest + GAP
  const isNarrow = width - textColumn < LEAST_TEXT
  return rows
    .map(([label, text]) => {
      const first = ' '.repeat(INDENT) + label
      if (isNarrow) return `${first}\n${paragraph(text, width, INDENT + 4)}`
      return first.padEnd(textColumn) + paragraph(text, width, textColumn).slice(textColumn)
    })
    .join('\n')
}

function wrap(text: string, width: number): readonly string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + 1 + word.length <= width) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines
}
