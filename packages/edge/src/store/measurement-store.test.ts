import { cpSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createLog } from '@plantroom/base/log'
import type { Measurement } from '@plantroom/contract/telemetry'
import { createManualClock } from '@plantroom/testkit/manual-clock'
import { temporaryFolder } from '@plantroom/testkit/temporary-folder'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createMeasurementStore } from './measurement-store.ts'
import { createTelemetryFile } from './telemetry-file.ts'

const NOW = Date.UTC(2030, 0, 1)

function openStore({ folder = temporaryFolder(), maxRows = 500_000, now = NOW } = {}) {
  const clock = createManualClock(now)
  const logged: string[] = []
  const log = createLog('edge', 'info', { write: (line) => void logged.push(JSON.parse(line).msg) })
  const file = createTelemetryFile({ folder, clock, log })
  const store = createMeasurementStore({ file, clock, log, maxRows })
  onTestFinished(() => store.close())
  return { store, file, folder, clock, logged }
}

const measurement = (at: number, datapointId = 'dp_1'): Measurement => ({ datapointId, at, value: at / 10 })
const upTo = (last: number, first = 1) => Array.from({ length: last - first + 1 }, (_, n) => measurement(first + n))

type Store = ReturnType<typeof openStore>['store']

/** Reads everything, as the sender would. */
function drain(store: Store, limit = 1000) {
  const all: { times: number[]; gaps: unknown[] } = { times: [], gaps: [] }
  for (let batch = store.next(limit); batch; batch = store.next(limit)) {
    all.times.push(...batch.measurements.map(({ at }) => at))
    all.gaps.push(...batch.gaps)
    store.forget(batch.upTo)
  }
  return all
}

describe('the store of measurements', () => {
  test('is empty on a new device', () => {
    expect(openStore().store.next(1000)).toBeUndefined()
  })

  test('returns measurements in order, and the same batch until it is deleted', () => {
    const { store } = openStore()
    store.add([measurement(1), measurement(1, 'dp_2')])
    store.add([measurement(2)])
    const first = store.next(2)
    expect(first).toEqual({
      upTo: expect.any(Number),
      measurements: [measurement(1), measurement(1, 'dp_2')],
      gaps: [],
    })
    expect(store.next(2)).toEqual(first)
    store.forget(first?.upTo ?? 0)
    expect(store.next(2)?.measurements).toEqual([measurement(2)])
  })

  test.each([0, -0.1, 21.5, 1e300, 5e-324, 2 ** 53, -(2 ** 63)])('keeps %d exactly', (value) => {
    const { store } = openStore()
    store.add([{ datapointId: 'dp_1', at: NOW, value }])
    expect(store.next(1)?.measurements).toEqual([{ datapointId: 'dp_1', at: NOW, value }])
  })

  test('keeps what was seen of an interval, and samples of an older version as samples', () => {
    const { store } = openStore()
    const seen = { seconds: 900, mean: 1.5, min: 0, max: 2, coverage: 99 }
    const measurements = [{ ...measurement(1), ...seen, energyKwh: 0 }, { ...measurement(2), ...seen }, measurement(3)]
    store.add(measurements)
    expect(store.next(10)?.measurements).toEqual(measurements)
  })

  test('accepts an empty list', () => {
    const { store } = openStore()
    store.add([])
    store.forget(0)
    expect(store.next(1000)).toBeUndefined()
  })

  test('stores one value per datapoint and time: the first one', () => {
    const { store } = openStore()
    store.add([{ datapointId: 'dp_1', at: NOW, value: 1 }])
    store.add([
      { datapointId: 'dp_1', at: NOW, value: 2 },
      { datapointId: 'dp_2', at: NOW, value: 3 },
    ])
    expect(store.next(1000)?.measurements.map(({ value }) => value)).toEqual([1, 3])
  })

  test('never reuses the number of a batch, even across files', () => {
    const names: (number | undefined)[] = []
    const folder = temporaryFolder()
    for (let start = 0; start < 3; start += 1) {
      const { store } = openStore({ folder })
      store.add([measurement(start)])
      const name = store.next(1000)?.upTo
      names.push(name)
      store.forget(name ?? 0)
      store.close()
    }
    const { store } = openStore({ now: NOW + 60_000 })
    store.add([measurement(1)])
    names.push(store.next(1000)?.upTo)
    expect(new Set(names).size).toBe(4)
    expect(names).not.toContain(undefined)
  })
})

describe('after a restart', () => {
  test('it has what was not deleted', () => {
    const { store, folder } = openStore()
    store.add(upTo(5))
    store.forget(store.next(2)?.upTo ?? 0)
    store.next(2)
    store.close()
    expect(drain(openStore({ folder }).store).times).toEqual([3, 4, 5])
  })

  test('it has what a killed process had added', () => {
    const { store, folder } = openStore()
    store.add(upTo(5))
    const asLeftBehind = temporaryFolder()
    cpSync(folder, asLeftBehind, { recursive: true })
    expect(drain(openStore({ folder: asLeftBehind }).store).times).toEqual([1, 2, 3, 4, 5])
  })

  test('it knows its size and drops the oldest at its limit', () => {
    const { store, folder } = openStore({ maxRows: 5 })
    store.add(upTo(5))
    store.close()
    const again = openStore({ folder, maxRows: 5 }).store
    again.add([measurement(6)])
    expect(drain(again)).toEqual({ times: [2, 3, 4, 5, 6], gaps: [{ from: 1, to: 1, dropped: 1 }] })
  })

  test('it remembers a gap', () => {
    const { store, folder } = openStore({ maxRows: 3 })
    store.add(upTo(5))
    store.close()
    expect(drain(openStore({ folder }).store).gaps).toEqual([{ from: 1, to: 2, dropped: 2 }])
  })
})

describe('a full store', () => {
  test('drops the oldest, a hundredth at a time', () => {
    const { store } = openStore({ maxRows: 1000 })
    store.add(upTo(1000))
    store.add([measurement(1001)])
    expect(drain(store)).toEqual({
      times: upTo(1001, 11).map(({ at }) => at),
      gaps: [{ from: 1, to: 10, dropped: 10 }],
    })
  })

  test('reports consecutive drops as one gap', () => {
    const { store } = openStore({ maxRows: 1000 })
    store.add(upTo(1000))
    store.add([measurement(1001)])
    store.add(upTo(1030, 1002))
    expect(drain(store).gaps).toEqual([{ from: 1, to: 30, dropped: 30 }])
  })

  test('has room again when the cloud has confirmed', () => {
    const { store } = openStore({ maxRows: 4 })
    store.add(upTo(4))
    store.forget(store.next(3)?.upTo ?? 0)
    store.add(upTo(7, 5))
    expect(drain(store)).toEqual({ times: [4, 5, 6, 7], gaps: [] })
  })

  test('keeps the latest when it gets more than it can hold', () => {
    const { store } = openStore({ maxRows: 3 })
    store.add(upTo(100))
    expect(drain(store)).toEqual({ times: [98, 99, 100], gaps: [{ from: 1, to: 97, dropped: 97 }] })
  })

  test('reports a gap with the batch that follows it, and deletes both together', () => {
    const { store, folder } = openStore({ maxRows: 4 })
    store.add(upTo(6))
    const batch = store.next(2)
    expect(batch).toMatchObject({ measurements: upTo(4, 3), gaps: [{ from: 1, to: 2, dropped: 2 }] })
    store.forget(batch?.upTo ?? 0)
    store.close()
    expect(openStore({ folder }).store.next(1000)).toMatchObject({ measurements: upTo(6, 5), gaps: [] })
  })

  test('spares the batch in flight and does not count it as lost', () => {
    const { store } = openStore({ maxRows: 4 })
    store.add(upTo(4))
    const onItsWay = store.next(2)
    store.add(upTo(7, 5))
    expect(store.next(2)).toEqual(onItsWay)
    store.forget(onItsWay?.upTo ?? 0)
    expect(drain(store)).toEqual({ times: [6, 7], gaps: [{ from: 3, to: 5, dropped: 3 }] })
  })

  test('does not change a gap in flight', () => {
    const { store } = openStore({ maxRows: 2 })
    store.add(upTo(3))
    const onItsWay = store.next(1)
    expect(onItsWay?.gaps).toEqual([{ from: 1, to: 1, dropped: 1 }])
    store.add(upTo(5, 4))
    store.forget(onItsWay?.upTo ?? 0)
    expect(drain(store)).toEqual({ times: [5], gaps: [{ from: 3, to: 4, dropped: 2 }] })
  })

  test('loses new measurements when everything is in flight', () => {
    const { store } = openStore({ maxRows: 2 })
    store.add(upTo(2))
    const onItsWay = store.next(1000)
    store.add(upTo(4, 3))
    store.forget(onItsWay?.upTo ?? 0)
    expect(drain(store)).toEqual({ times: [], gaps: [{ from: 3, to: 4, dropped: 2 }] })
  })

  test('reports the first and last time of a gap, even after the clock was set back', () => {
    const { store } = openStore({ maxRows: 1 })
    store.add([measurement(50), measurement(90), measurement(20), measurement(60)])
    expect(drain(store).gaps).toEqual([{ from: 20, to: 90, dropped: 3 }])
  })
})

describe('a full disk', () => {
  /** Limits the file to its current pages, so that SQLite fails as on a full disk; `false` lifts the limit. */
  function fill({ file }: Pick<ReturnType<typeof openStore>, 'file'>, full = true) {
    const db = file.open()
    const pages = Number(db?.prepare('PRAGMA page_count').get()?.page_count)
    db?.exec(`PRAGMA max_page_count = ${full ? pages : 1_000_000}`)
  }

  test('loses only new measurements, logs that once, and reports the gap later', () => {
    const opened = openStore()
    const { store, logged } = opened
    store.add(upTo(1000))
    fill(opened)
    store.add(upTo(3000, 1001))
    store.add(upTo(5000, 3001))
    expect(logged).toEqual(['measurements are lost: they cannot be written to the disk'])
    fill(opened, false)
    store.add([measurement(5001)])
    expect(logged).toContain('measurements are archived again; some were lost')
    const { times, gaps } = drain(store)
    expect(times).toEqual([...upTo(1000), measurement(5001)].map(({ at }) => at))
    expect(gaps).toEqual([{ from: 1001, to: 5000, dropped: 4000 }])
  })

  test('still lets stored measurements be sent and deleted', () => {
    const opened = openStore()
    opened.store.add(upTo(1000))
    fill(opened)
    opened.store.add(upTo(3000, 1001))
    expect(drain(opened.store).times).toHaveLength(1000)
    opened.store.add([measurement(3001)])
    expect(drain(opened.store)).toEqual({ times: [3001], gaps: [{ from: 1001, to: 3000, dropped: 2000 }] })
  })

  test('reports a gap even if nothing follows it', () => {
    const opened = openStore()
    opened.store.add([measurement(1)])
    fill(opened)
    opened.store.add(upTo(5000, 2))
    fill(opened, false)
    opened.store.close()
    const again = openStore({ folder: opened.folder }).store
    expect(again.next(1)).toMatchObject({ measurements: [measurement(1)], gaps: [] })
    expect(drain(again)).toEqual({ times: [1], gaps: [{ from: 2, to: 5000, dropped: 4999 }] })
  })

  test('does not change a gap in flight', () => {
    const opened = openStore()
    const { store } = opened
    // The last measurement is a duplicate, so nothing separates the gaps.
    const lose = (first: number, last: number) => {
      fill(opened)
      store.add(upTo(last, first))
      fill(opened, false)
      store.add([measurement(1)])
    }
    store.add([measurement(1)])
    lose(2, 5000)
    const onItsWay = store.next(1000)
    expect(onItsWay?.gaps).toEqual([{ from: 2, to: 5000, dropped: 4999 }])
    lose(5001, 9999)
    store.forget(onItsWay?.upTo ?? 0)
    expect(drain(store)).toEqual({ times: [], gaps: [{ from: 5001, to: 9999, dropped: 4999 }] })
  })

  test('repeatedly reports each gap in its place', () => {
    const opened = openStore()
    const { store } = opened
    for (const thousand of [0, 10_000, 20_000]) {
      store.add([measurement(thousand)])
      fill(opened)
      store.add(upTo(thousand + 5000, thousand + 1))
      fill(opened, false)
    }
    store.add([measurement(30_000)])
    expect(store.next(2)?.gaps).toEqual([{ from: 1, to: 5000, dropped: 5000 }])
    expect(drain(store, 1).gaps.map((gap) => (gap as { from: number }).from)).toEqual([1, 10_001, 20_001])
  })
})

describe('a corrupt file', () => {
  /** Points the table at the page of its index, so that SQLite finds a corrupt database. */
  function breakTable({ file }: Pick<ReturnType<typeof openStore>, 'file'>) {
    const db = file.open()
    db?.enableDefensive(false)
    db?.exec(`
      PRAGMA writable_schema = ON;
      UPDATE sqlite_schema SET rootpage = (SELECT rootpage FROM sqlite_schema WHERE name = 'sqlite_autoindex_measurement_1')
      WHERE name = 'measurement';
      PRAGMA writable_schema = RESET`)
  }

  test('found while reading is replaced, and its contents are lost', () => {
    const opened = openStore()
    opened.store.add(upTo(2000))
    breakTable(opened)
    expect(opened.store.next(1000)).toBeUndefined()
    expect(opened.logged).toEqual(['the archive of measurements is broken: moved it aside and started a new one'])
  })

  test('found while writing is replaced, and new measurements are kept', () => {
    const opened = openStore()
    opened.store.add(upTo(2000))
    const onItsWay = opened.store.next(1000)
    breakTable(opened)
    opened.store.add(upTo(2002, 2001))
    expect(opened.logged).toEqual(['the archive of measurements is broken: moved it aside and started a new one'])
    opened.store.forget(onItsWay?.upTo ?? 0)
    expect(drain(opened.store)).toEqual({ times: [2001, 2002], gaps: [] })
  })

  test('that cannot be replaced throws nothing, and the gap is reported later', async () => {
    const parent = join(temporaryFolder(), 'file')
    writeFileSync(parent, '')
    const { store, clock, logged } = openStore({ folder: join(parent, 'edge') })
    store.add(upTo(3))
    expect(store.next(1000)).toBeUndefined()
    store.forget(1)
    expect(logged).toEqual(['no measurements are archived'])
    rmSync(parent)
    await clock.advance(60_000)
    store.add([measurement(4)])
    expect(drain(store)).toEqual({ times: [4], gaps: [{ from: 1, to: 3, dropped: 3 }] })
  })
})
