import type { OperatingState } from '@plantroom/openadr/due-reports'
import type { Measured, ReportData } from '@plantroom/openadr/report-body'
import type { OptOutSpan } from './opt-out-store.ts'
import type { PlacedValue } from './report-store.ts'

/** A question that a report asks about the archive. */
export interface Question {
  resourceName: string
  from: number
  to: number
}

/** A question about the power that resources together would have had. */
export interface BaselineQuestion {
  resourceNames: readonly string[]
  from: number
  to: number
}

export interface Answers {
  measured: readonly (Question & { measured: Measured | undefined })[]
  /** What resources usually draw at a time. */
  usual: readonly (Question & { kw: number | undefined })[]
  baselines: readonly (BaselineQuestion & { kw: number | undefined })[]
  /** Of the event that the report is about. */
  optOuts: readonly OptOutSpan[]
}

const keyOf = (question: Question | BaselineQuestion) => JSON.stringify(Object.values(question).slice(0, 3))

/** Collects what a report wants to know: made once with this, it is made again with the answers. */
export function questionsOf(make: (data: ReportData) => unknown) {
  const measured = new Map<string, Question>()
  const usual = new Map<string, Question>()
  const baselines = new Map<string, BaselineQuestion>()
  const unknown = () => undefined
  make({
    measured(resourceName, from, to) {
      const question = { resourceName, from, to }
      measured.set(keyOf(question), question)
      return undefined
    },
    usualKw(resourceName, from, to) {
      const question = { resourceName, from, to }
      usual.set(keyOf(question), question)
      return undefined
    },
    baselineKw(resourceNames, from, to) {
      const question = { resourceNames, from, to }
      baselines.set(keyOf(question), question)
      return undefined
    },
    setpoint: unknown,
    operatingState: unknown,
  })
  return { measured: [...measured.values()], usual: [...usual.values()], baselines: [...baselines.values()] }
}

/** Answers from what was measured, published and placed. Pure. */
export function dataFrom({ measured, usual, baselines, optOuts }: Answers, placed: readonly PlacedValue[]): ReportData {
  const found = new Map(measured.map((one) => [keyOf(one), one.measured]))
  const usualKw = new Map(usual.map((one) => [keyOf(one), one.kw]))
  const kw = new Map(baselines.map((one) => [keyOf(one), one.kw]))
  const during = (resourceName: string, from: number, to: number) =>
    placed.filter((one) => one.resourceName === resourceName && one.from.getTime() < to && one.to.getTime() > from)
  return {
    measured: (resourceName, from, to) => found.get(keyOf({ resourceName, from, to })),
    setpoint(resourceName, from, to) {
      // The newest that controllers have: the first one.
      return during(resourceName, from, to).find(({ isAccepted }) => isAccepted)?.value
    },
    operatingState: (resourceName, from, to) =>
      optOuts.some((one) => one.resourceName === resourceName && isDuring(one, from, to))
        ? 'RUNNING_OPTED_OUT'
        : stateOf(during(resourceName, from, to)),
    usualKw: (resourceName, from, to) => usualKw.get(keyOf({ resourceName, from, to })),
    baselineKw: (resourceNames, from, to) => kw.get(keyOf({ resourceNames, from, to })),
  }
}

const isDuring = (span: OptOutSpan, from: number, to: number) =>
  span.from.getTime() < to && (span.to === null || span.to.getTime() > from)

function stateOf(placed: readonly PlacedValue[]): OperatingState {
  const [first] = placed
  if (!first) return 'NORMAL'
  const accepted = placed.find(({ isAccepted }) => isAccepted)
  if (!accepted) return 'ERROR'
  return accepted.kind === 'limit' ? 'RUNNING_CURTAILED' : 'RUNNING_NORMAL'
}
