import { createContext, Script } from 'node:vm'
import { type HostileText, hostileTexts } from './hostile-texts.ts'

const SHORT = 3_000
const LONG = 100_000
/** Of short texts with the same repeated part together. A quadratic expression needs more for one of them. */
const SUSPICIOUS_MS = 2
/** At full length a linear expression needs a few milliseconds of CPU, a quadratic one at least five seconds. */
const SLOW_MS = 150
/** By the clock. An expression that got little of the CPU by then is tried again with twice as much, at most so often. */
const LIMIT_MS = 500
const MOST_TRIES = 5

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
  const groups = Map.groupBy(hostileTexts(source, flags), ({ repeated }) => repeated)
  // The first run also compiles the expression.
  const isSuspicious = (texts: readonly HostileText[]) =>
    [1, 2].every(() => cpuOf(expression, texts, SHORT) > SUSPICIOUS_MS)
  for (const texts of groups.values()) {
    const slow = isSuspicious(texts) && texts.find((text) => cpuOf(expression, [text], LONG) > SLOW_MS)
    if (slow) return slow
  }
  return undefined
}

function cpuOf(expression: RegExp, texts: readonly HostileText[], length: number): number {
  context.expression = expression
  context.texts = texts.map(
    ({ before, repeated, after }) => before + repeated.repeat(Math.ceil(length / repeated.length)) + after,
  )
  for (let tried = 1, limit = LIMIT_MS; ; tried += 1, limit *= 2) {
    const start = process.threadCpuUsage()
    const isDone = endsWithin(limit)
    const { user, system } = process.threadCpuUsage(start)
    const used = (user + system) / 1000
    if (isDone || used > SLOW_MS || tried === MOST_TRIES) return used
  }
}

function endsWithin(timeout: number): boolean {
  try {
    tries.runInContext(context, { timeout })
    return true
  } catch {
    return false
  }
}
