import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync, Visitor } from 'rolldown/utils'

/** A regular expression of the repository. */
export interface FoundExpression {
  /** `packages/base/src/redact.ts:12` */
  readonly place: string
  readonly source: string
  readonly flags: string
}

/** Returns every regular expression literal and every `pattern` of a schema in the code that we ship. */
export function findExpressions(root: string): FoundExpression[] {
  const files = globSync('packages/*/src/**/*.{ts,tsx}', { cwd: root })
  const shipped = files.filter(
    (path) => !/\.test\.tsx?$|\/testing\//.test(path) && !path.startsWith('packages/testkit/'),
  )
  return shipped.toSorted().flatMap((path) => inSource(path, readFileSync(join(root, path), 'utf8')))
}

/** Returns the regular expressions of one file. */
export function inSource(path: string, text: string): FoundExpression[] {
  const found: FoundExpression[] = []
  const placeOf = (start: number) => `${path}:${text.slice(0, start).split('\n').length}`
  const visitor = new Visitor({
    Literal(node) {
      if ('regex' in node)
        found.push({ place: placeOf(node.start), source: node.regex.pattern, flags: node.regex.flags })
      // A pattern of a schema is a text. Those that match from the start to the end are recognised by that.
      else if (typeof node.value === 'string' && /^\^.*\$$/s.test(node.value) && isExpression(node.value))
        found.push({ place: placeOf(node.start), source: node.value, flags: 'u' })
    },
  })
  visitor.visit(parseSync(path, text).program)
  return found
}

function isExpression(source: string): boolean {
  try {
    return new RegExp(source, 'u') instanceof RegExp
  } catch {
    return false
  }
}
