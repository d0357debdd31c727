import type { OutputTest } from '@plantroom/contract/api'
import { shownValue } from '../../../parts/value.ts'
import { format } from '../../../texts/format.ts'
import { outputTests as texts } from '../../../texts/output-tests.ts'

/** What to test, as far as it is chosen. */
export interface TestChoice {
  datapointId?: string
  meterId?: string
}

/** A controller has sent the result by then, unless it was restarted or is offline. */
const PATIENCE_MS = 180_000

/** `held` and `reading` end with a result; `unknown` has waited too long for one. */
export type TestStage = 'held' | 'reading' | 'done' | 'unknown'

/** Returns how far a test has come, and for how many seconds the output is still held. */
export function stageOf({ startedAt, seconds, result }: OutputTest, now: number): { stage: TestStage; leftS: number } {
  const endsAt = Date.parse(startedAt) + seconds * 1000
  const leftS = Math.max(0, Math.ceil((endsAt - now) / 1000))
  if (result) return { stage: 'done', leftS: 0 }
  if (leftS > 0) return { stage: 'held', leftS }
  return { stage: now < endsAt + PATIENCE_MS ? 'reading' : 'unknown', leftS: 0 }
}

/** Says what became of the output. */
export function describeResult(
  { result, value }: Pick<OutputTest, 'result' | 'value'>,
  unit: string | undefined,
): { text: string; isGood: boolean }[] {
  if (!result) return []
  const { reason, taken, before, after } = result
  if (reason === 'superseded' || !after) return [{ text: texts.superseded, isGood: false }]
  const isBack = after.value === before.value
  const shown = { value: shownValue(after.value, unit) }
  return [
    ...(reason === 'cancelled' ? [{ text: texts.cancelled, isGood: true }] : []),
    ...(taken ? [] : [{ text: format(texts.notTaken, { value: shownValue(value, unit) }), isGood: false }]),
    { text: isBack ? format(texts.back, shown) : format(texts.notBack, shown), isGood: isBack },
  ]
}

/** Says what a test tells about its meter; `undefined` without one. */
export function describeJudgement({ judgement, meter, datapoint }: OutputTest): string | undefined {
  if (!judgement || !meter) return undefined
  const { verdict, meterKw, expectedKw, otherKw } = judgement
  const names = { meter: meter.name, load: datapoint.name }
  if (meterKw === null || expectedKw === null || otherKw === null) return format(texts.verdicts.unread, names)
  const kw = { moved: shownValue(meterKw), expected: shownValue(expectedKw) }
  if (verdict === 'follows') return format(texts.verdicts.follows, { meter: meter.name, ...kw })
  if (verdict !== 'unclear') return format(texts.verdicts[verdict], { ...names, ...kw })
  return format(texts.verdicts.unclear, { meter: meter.name, ...kw, others: shownValue(otherKw) })
}

/** Lists what was read before, during and after. */
export const readingsOf = ({ result }: Pick<OutputTest, 'result'>, of: 'value' | 'meter', unit?: string): string =>
  result
    ? [result.before, result.held, result.after].map((part) => shownValue(part?.[of] ?? null, unit)).join(' → ')
    : texts.noResult
