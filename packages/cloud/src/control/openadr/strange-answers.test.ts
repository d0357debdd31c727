import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { openBench } from './testing/bench.ts'

const values = (held: readonly { value: number }[]) => held.map(({ value }) => value)

test('an event with text that no database stores is placed, as are those beside it', async () => {
  const bench = await openBench()
  bench.vtn.addEvent(bench.event(-5, 30, [10], { eventName: 'Pe\0ak \ud800' }))
  bench.vtn.addEvent(bench.event(40, 30, [12]))
  await bench.poll()
  expect(values(bench.held())).toEqual([10, 12])
  const names = (await bench.events()).map(({ eventName }) => eventName).sort()
  expect(names).toEqual(['Peak', 'Pe\ufffdak \ufffd'])
  expect(await bench.state()).toMatchObject({ state: 'connected', problem: null })
})

test('an event whose intervals have times as ids is placed', async () => {
  const bench = await openBench()
  const payloads = [{ type: 'DISPATCH_SETPOINT', values: [10] }]
  bench.vtn.addEvent({ ...bench.event(-5, 30, []), intervals: [{ id: bench.clock.now(), payloads }] })
  await bench.poll()
  expect(values(bench.held())).toEqual([10])
  await bench.poll()
  expect(bench.placements(bench.device(0))).toHaveLength(1)
})

// What is quoted is cut, and a cut halves one of two neighbouring lengths.
describe.each([0, 1])('a text that is cut within a character (%i)', (shift) => {
  const long = `${'x'.repeat(96 + shift)}${'😀'.repeat(200)}`

  test('of a value is shown, and the other events are placed', async () => {
    const bench = await openBench()
    bench.vtn.addEvent(bench.event(-5, 30, [10]))
    bench.vtn.addEvent(bench.event(40, 30, [long] as never))
    await bench.poll()
    expect(values(bench.held())).toEqual([10])
    const [strange] = await bench.events()
    expect(strange?.problems).toEqual([expect.stringContaining('xxx')])
  })

  test('of a refusal is shown, and the events are placed', async () => {
    const bench = await openBench()
    bench.vtn.faults.lacks = ['vens']
    bench.vtn.faults.distort = (body, path) => (path === 'vens' ? { title: 'x', detail: long } : body)
    bench.vtn.addEvent(bench.event(-5, 30, [10]))
    await bench.poll()
    expect(values(bench.held())).toEqual([10])
    expect((await bench.state())?.problem).toContain('xxx')
  })
})

test('an event that can no longer be read is followed as it was, and the program says so', async () => {
  const bench = await openBench()
  const { id } = bench.vtn.addEvent(bench.event(-5, 30, [10]))
  await bench.poll()
  bench.vtn.faults.distort = (body, path) =>
    path === 'events' && Array.isArray(body) ? body.map((event) => ({ ...event, intervals: 'none' })) : body
  await bench.poll()
  expect(values(bench.held())).toEqual([10])
  expect((await bench.state())?.problem).toMatch(/cannot be read: intervals/)
  bench.vtn.events.remove(id)
  await bench.poll()
  expect(bench.held()).toEqual([])
})

test('an event that no column takes stops neither what is known nor the reaction to silence', async () => {
  const rule = { payload: 'DISPATCH_SETPOINT', datapointId: 'dp_0' }
  const mapping = { resources: [{ resourceName: 'battery', rules: [rule] }], silenceSeconds: 600 }
  const bench = await openBench({ mapping: { ...mapping, onSilence: 'release' } })
  bench.vtn.addEvent(bench.event(-5, 240, [10]))
  await bench.poll()
  await sql`ALTER TABLE openadr_event ALTER COLUMN vtn_id TYPE varchar(20)`.execute(bench.db)
  const added = bench.vtn.addEvent(bench.event(300, 30, [12]))
  bench.vtn.faults.distort = (body, path) =>
    path === 'events' && Array.isArray(body)
      ? body.map((event) => (event.id === added.id ? { ...event, id: 'x'.repeat(21) } : event))
      : body
  await bench.poll()
  expect(await bench.state()).toMatchObject({
    state: 'failing',
    problem: expect.stringContaining('cannot be processed'),
  })
  expect(values(bench.held())).toEqual([10])
  bench.clock.step(601_000)
  await bench.poll()
  expect(bench.held()).toEqual([])
  bench.vtn.faults.distort = undefined
  await bench.poll()
  expect(await bench.state()).toMatchObject({ state: 'connected', problem: null })
  expect(values(bench.held())).toEqual([10, 12])
})
