import { shown } from '../shown.ts'
import type { CommissionedSlot, CommissioningFile, FileProblem } from './file.ts'
import { fullName, nameTaken, type Placed } from './names.ts'

export type Find = (reference: string) => readonly Placed[]

/** Returns the mistakes in `peakShaving`. */
export function peakShavingProblems({ peakShaving }: CommissioningFile, find: Find): FileProblem[] {
  if (!peakShaving) return []
  const { meter, ofLoads } = judgedLoads('peakShaving', peakShaving, find)
  const hasBoth = peakShaving.limitKw !== undefined && peakShaving.hourlyLimitsKw !== undefined
  return [
    ...meter.problems,
    ...(hasBoth ? [{ path: 'peakShaving.hourlyLimitsKw', message: 'conflicts with limitKw: keep one of them' }] : []),
    ...ofLoads,
  ]
}

/** Judges a meter and the loads that the controller moves to keep it below a limit. */
export function judgedLoads(
  part: 'peakShaving' | 'powerLimit',
  { meter: reference, loads }: { meter: string; loads: readonly { datapoint: string }[] },
  find: Find,
) {
  const meter = judged(find, reference, `${part}.meter`, readable)
  const ofLoads: FileProblem[] = []
  if (loads.length === 0) ofLoads.push({ path: `${part}.loads`, message: 'needs a load to shed' })
  const taken = datapointTaken()
  const placed = loads.map(({ datapoint }, index) => {
    const path = `${part}.loads[${index}]`
    const load = judged(find, datapoint, `${path}.datapoint`, writable)
    ofLoads.push(...load.problems)
    if (!load.placed) return undefined
    const [name, before] = [`"${shown(datapoint)}"`, taken(load.placed, path)]
    if (before) ofLoads.push({ path: `${path}.datapoint`, message: `${name} is already the load of ${before}` })
    if (load.placed.path === meter.placed?.path) {
      ofLoads.push({ path: `${path}.datapoint`, message: `${name} is the meter` })
    }
    return load.placed
  })
  return { meter, ofLoads, loads: placed }
}

/** Returns the mistakes in `schedules`. */
export function scheduleProblems({ schedules = [] }: CommissioningFile, find: Find): FileProblem[] {
  const sameName = nameTaken('schedules')
  const taken = datapointTaken()
  return schedules.flatMap((schedule, index) => {
    const path = `schedules[${index}]`
    const { placed, problems } = judged(find, schedule.datapoint, `${path}.datapoint`, writable)
    const before = placed && taken(placed, path)
    const message = `"${shown(schedule.datapoint)}" is already driven by ${before}`
    return [
      ...sameName(schedule.name, index),
      ...problems,
      ...(before ? [{ path: `${path}.datapoint`, message }] : []),
      ...(schedule.slots.length === 0 ? [{ path: `${path}.slots`, message: 'needs a slot' }] : []),
      ...schedule.slots.flatMap((slot, s) => slotProblems(slot, `${path}.slots[${s}]`)),
    ]
  })
}

const TIME = /^(?:[01]\d|2[0-3]):[0-5]\d$/
const END_OF_DAY = '24:00'

function slotProblems({ days, from, to }: CommissionedSlot, path: string): FileProblem[] {
  const problems: FileProblem[] = []
  if (days.length === 0) problems.push({ path: `${path}.days`, message: 'needs a day' })
  if (!TIME.test(from)) {
    problems.push({
      path: `${path}.from`,
      message: `"${shown(from)}" is not a time of day: write HH:MM, for example 07:00`,
    })
  }
  if (!TIME.test(to) && to !== END_OF_DAY) {
    const message = `"${shown(to)}" is not a time of day: write HH:MM, for example 18:00, or 24:00 for its end`
    problems.push({ path: `${path}.to`, message })
  } else if (from === to) {
    problems.push({ path: `${path}.to`, message: 'is the same as from: a whole day is 00:00 to 24:00' })
  }
  return problems
}

export const readable = ({ datapoint }: Placed) => (datapoint.accessType === 'WRITE' ? 'cannot be read' : undefined)
const writable = ({ datapoint }: Placed) => (datapoint.accessType === 'READ' ? 'cannot be written' : undefined)

/** Resolves a reference to one datapoint, or says what is wrong with it. */
export function judged(
  find: Find,
  reference: string,
  path: string,
  unfit: (placed: Placed) => string | undefined,
): { placed?: Placed; problems: FileProblem[] } {
  const found = find(reference)
  const [placed] = found
  if (!placed) return { problems: [{ path, message: `this file has no datapoint "${shown(reference)}"` }] }
  if (found.length > 1) {
    const clear = found.map(fullName).find((name) => find(name).length === 1)
    const remedy =
      clear === undefined ? 'rename one of them' : `write which one, for example ${shown(clear, 2 * 255 + 1)}`
    return {
      problems: [{ path, message: `"${shown(reference)}" is the name of ${found.length} datapoints: ${remedy}` }],
    }
  }
  const rule = unfit(placed)
  return { placed, problems: rule ? [{ path, message: `"${shown(reference)}" ${rule}` }] : [] }
}

/** Reports the first user of a datapoint to every later one. */
export function datapointTaken(): (placed: Placed, by: string) => string | undefined {
  const first = new Map<string, string>()
  return (placed, by) => {
    const before = first.get(placed.path)
    if (before === undefined) first.set(placed.path, by)
    return before
  }
}
