import { createContext, Script } from 'node:vm'
import { type HostileText, hostileTexts } from './hostile-texts.ts'

const SHORT = 10_000
const LONG = 100_000
/** Of all texts together, and of one. Few expressions need more; those are tried at full length. */
const SUSPICIOUS_MS = { all: 10, one: 2 }
/** At full length a linear expression needs a few milliseconds of CPU, a quadratic one at least five seconds. */
const SLOW_MS = 150
/** By the clock, on a machine that also does other things. */
const LIMIT_MS = 1_500

const context = createContext({ expression: /x/, texts: [] as string[] })
/** V8 ends an expression at a time limit only inside of a script. */
const tries = new Script(`
  for (const text of texts) {
    expression.lastIndex = 0
    if (expression.global) text.replace(expression, '')
    else expression.test(text)
  }
`)

/** Returns a text on which an expression needs more than linear time; undefined if none was found. */
export function slowText(source: string, flags: string): HostileText | undefined {
  const expression = new RegExp(source, flags)
  const texts = hostileTexts(source, flags)
  // The first run also compiles the expression.
  for (const _run of [1, 2]) if (cpuOf(expression, texts, SHORT) < SUSPICIOUS_MS.all) return undefined
  return texts.find(
    (text) => cpuOf(expression, [text], SHORT) > SUSPICIOUS_MS.one && cpuOf(expression, [text], LONG) > SLOW_MS,
  )
}

function cpuOf(expression: RegExp, texts: readonly HostileText[], length: number): number {
  context.expression = expression
  context.texts = texts.map(
    ({ before, repeated, after }) => before + repeated.repeat(Math.ceil(length / repeated.length)) + after,
  )
  const start = process.cpuUsage()
  try {
    tries.runInContext(context, { timeout: LIMIT_MS })
  } catch {
    // Not done in time: what it used until then counts.
  }
  const { user, system } = process.cpuUsage(start)
  return (user + system) / 1000
}
