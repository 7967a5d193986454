import type { CST, Document } from 'yaml'
import { buildTree } from './build.js'
import type { DocumentNode, ParsedFile, SyntaxProblem } from './tree.js'

/** Rule documents are six levels deep; the parser's own stack is safe far beyond this. */
const MAX_DEPTH = 64

/**
 * About 3,000 rules with long descriptions; ten thousand in the plain form never come here. The parser takes some
 * microseconds and a kilobyte for each, so this bounds a hostile file to seconds and a gigabyte.
 */
const MAX_LEXEMES = 1_000_000

/** A file with more syntax errors than this is not a rule document. */
const MAX_PROBLEMS = 100

type Yaml = typeof import('yaml')

/** Every value is read as a string here; `scalarValue` interprets it. Duplicate keys are found while building. */
const OPTIONS = {
  schema: 'failsafe',
  resolveKnownTags: false,
  uniqueKeys: false,
  prettyErrors: false,
  logLevel: 'silent',
} as const

/**
 * Parses a YAML stream with positions. The parser is loaded on first use, because most runs read compiled rules from a cache.
 * It never throws: all problems of the text are in `problems`.
 */
export async function parseYaml(text: string): Promise<ParsedFile> {
  const yaml = await import('yaml')
  const problems: SyntaxProblem[] = []
  const documents: DocumentNode[] = []
  for (const document of composeDocuments(yaml, text, problems)) {
    for (const { message, pos } of document.errors) problems.push({ code: 'yaml', at: pos[0], message })
    if (document.errors.length > 0) continue
    const root = buildTree(yaml, document, problems)
    if (root !== undefined) documents.push(root)
  }
  return { documents, problems: problems.slice(0, MAX_PROBLEMS) }
}

function composeDocuments(yaml: Yaml, text: string, problems: SyntaxProblem[]): Iterable<Document.Parsed> {
  return new yaml.Composer(OPTIONS).compose(
    boundedTokens(yaml, text, problems),
    true,
    text.length,
  ) as Iterable<Document.Parsed>
}

/** The parser's tokens, one for each document, ending early when the text goes beyond the bounds. */
function* boundedTokens(yaml: Yaml, text: string, problems: SyntaxProblem[]): Iterable<CST.Token> {
  const parser = new yaml.Parser()
  const bounds = createBounds()
  for (const lexeme of new yaml.Lexer().lex(text)) {
    for (const token of parser.next(lexeme)) {
      yield token
      bounds.token(token)
    }
    const beyond = bounds.lexeme(lexeme, parser.stack.length)
    if (beyond !== undefined) {
      problems.push({ ...beyond, at: parser.offset })
      return
    }
  }
  yield* parser.end()
}

type Beyond = Omit<SyntaxProblem, 'at'>

/** Counts what the parser produces, and returns a problem when a bound is exceeded. */
function createBounds(): { token(token: CST.Token): void; lexeme(lexeme: string, depth: number): Beyond | undefined } {
  let lexemes = 0
  let mistakes = 0
  let properties = 0
  return {
    token: ({ type }) => {
      if (type === 'error' || type === 'directive') mistakes++
    },
    lexeme: (lexeme, depth) => {
      lexemes++
      if (lexeme[0] === '&' || lexeme[0] === '!') properties++
      else if (lexeme[0] !== ' ' && lexeme !== '\n') properties = 0
      if (depth > MAX_DEPTH) return { code: 'too-deep', message: `nested more than ${MAX_DEPTH} levels deep` }
      if (lexemes > MAX_LEXEMES)
        return { code: 'too-complex', message: 'the file has too many parts: split it into several files' }
      // Each of these would become an error with a stack trace: a megabyte of them takes half a minute.
      if (mistakes > MAX_PROBLEMS) return { code: 'yaml', message: 'too many syntax errors' }
      if (properties > 2) return { code: 'yaml', message: 'a node has at most one anchor and one tag' }
      return undefined
    },
  }
}
