import { expect, test } from 'vitest'
import { openBench } from './testing/bench.ts'

test('an event with text that no database stores is placed, as are those beside it', async () => {
  const bench = await openBench()
  bench.vtn.addEvent(bench.event(-5, 30, [10], { eventName: 'Pe\0ak \ud800' }))
  bench.vtn.addEvent(bench.event(40, 30, [12]))
  await bench.poll()
  expect(bench.held().map(({ value }) => value)).toEqual([10, 12])
  const names = (await bench.events()).map(({ eventName }) => eventName).sort()
  expect(names).toEqual(['Peak', 'Pe\ufffdak \ufffd'])
  expect(await bench.state()).toMatchObject({ state: 'connected', problem: null })
})
