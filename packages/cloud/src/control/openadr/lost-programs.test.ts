import { describe, expect, test } from 'vitest'
import { openBench } from './testing/bench.ts'

const values = (held: readonly { value: number }[]) => held.map(({ value }) => value)

/** Two programs of a VTN that are followed, with an event each. */
async function openTwo() {
  const bench = await openBench()
  const { vtn, store, programId, clock } = bench
  const other = vtn.addProgram({ programName: 'Other' })
  const program = await store.read('org', programId)
  if (!program) throw new Error('there is no program')
  const settings = { ...program.settings, programNames: ['Flexibility', 'Other'] }
  const same = { isOtherVtn: false, leavesVtn: false, isPaused: false }
  await store.change(programId, { ...program, ...same, settings }, new Date(clock.now()))
  const stays = vtn.addEvent(bench.event(-5, 60, [10]))
  const goes = vtn.addEvent(bench.event(120, 60, [20], { programID: other.id }))
  await bench.poll()
  expect(values(bench.held())).toEqual([10, 20])
  const countLookups = () => vtn.requests.filter(({ url }) => /\/programs\?/.test(url)).length
  return { bench, other, stays, goes, countLookups }
}

describe('a program of the VTN', () => {
  test('that is gone is shown and released, and the others are followed with the same poll', async () => {
    const { bench, other, stays, goes, countLookups } = await openTwo()
    const { vtn } = bench
    vtn.programs.remove(other.id)
    vtn.events.remove(goes.id)
    vtn.faults.lostPrograms = [other.id]
    vtn.changeEvent(stays.id, bench.event(-5, 60, [11]))
    const before = countLookups()
    await bench.poll()
    expect(values(bench.held())).toEqual([11])
    const state = await bench.state()
    expect(state).toMatchObject({ state: 'connected', missingPrograms: ['Other'] })
    expect(state?.problem).toMatch(/^the VTN does not show the program Other: .*it shows Flexibility$/)
    const lookups = countLookups() - before
    expect(lookups).toBeGreaterThan(0)
    await bench.poll()
    await bench.poll()
    expect(countLookups() - before).toBe(lookups)
  })

  test('that is made again under its name is followed at once', async () => {
    const { bench, other, goes } = await openTwo()
    const { vtn } = bench
    vtn.programs.remove(other.id)
    vtn.events.remove(goes.id)
    vtn.faults.lostPrograms = [other.id]
    const again = vtn.addProgram({ programName: 'Other' })
    vtn.addEvent(bench.event(120, 60, [30], { programID: again.id }))
    await bench.poll()
    expect(values(bench.held())).toEqual([10, 30])
    expect(await bench.state()).toMatchObject({ problem: null, missingPrograms: [] })
  })

  test('that the VTN still lists keeps its events, and is looked up once', async () => {
    const { bench, other, stays, countLookups } = await openTwo()
    const { vtn } = bench
    vtn.faults.lostPrograms = [other.id]
    vtn.changeEvent(stays.id, bench.event(-5, 60, [11]))
    const before = countLookups()
    await bench.poll()
    const lookups = countLookups() - before
    for (let poll = 0; poll < 3; poll += 1) await bench.poll()
    expect(values(bench.held())).toEqual([11, 20])
    expect(countLookups() - before).toBe(lookups)
    expect((await bench.state())?.problem).toMatch(/^the VTN lists the program Other, but answers 404 for its events/)
    vtn.faults.lostPrograms = []
    await bench.poll()
    expect(await bench.state()).toMatchObject({ problem: null })
  })

  test('is not given up because the VTN has no address at all for the moment', async () => {
    const { bench, other, goes } = await openTwo()
    const { vtn } = bench
    vtn.faults.lostPrograms = [other.id, bench.program.id]
    vtn.faults.lacks = ['programs']
    await bench.poll()
    expect(values(bench.held())).toEqual([10, 20])
    expect(await bench.state()).toMatchObject({ state: 'failing' })
    vtn.faults.lacks = []
    vtn.faults.lostPrograms = []
    vtn.events.remove(goes.id)
    await bench.poll()
    expect(values(bench.held())).toEqual([10])
    expect(await bench.state()).toMatchObject({ state: 'connected', problem: null })
  })
})
