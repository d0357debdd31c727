import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { isCampaign } from '@plantroom/testkit/repetitions'
import { afterAll, describe, expect, test } from 'vitest'
import { installPython } from '../testing/install-python.ts'
import { definitionOf, knownModels } from './definitions.ts'
import type { DeviceListing } from './list.ts'
import { startSunspecBench } from './testing/bench.ts'
import { putModels, type ScriptedModel } from './testing/device-registers.ts'
import { listOnSocket } from './testing/list-on-socket.ts'

const SCRIPT = fileURLToPath(new URL('testing/pysunspec_client.py', import.meta.url))
const run = promisify(execFile)

// Only `campaign interop drivers` reaches the registry of Python.
const folder = isCampaign ? mkdtempSync(join(tmpdir(), 'pysunspec-')) : undefined
afterAll(() => {
  if (folder !== undefined) rmSync(folder, { recursive: true })
})
const python = folder === undefined ? undefined : await installPython(folder, 'pysunspec2==1.3.7')

interface ForeignListing {
  base: number
  models: { id: number; points: Record<string, number | string | null> }[]
}

/** Every model that we know, with a number in every register that is not a scale factor. */
function everyModel(): readonly ScriptedModel[] {
  return knownModels().map((model) => {
    const points = definitionOf(model)?.points.slice(2) ?? []
    const numbers = points.filter(({ type }) => !['string', 'pad'].includes(type) && !type.startsWith('float'))
    const counts = new Set(['NPt', 'NCrv', 'NCrvSet', 'NCtl', 'NPrt', 'NStr', 'NMod', 'N'])
    const values = numbers.map(({ name, type, offset }) => {
      if (counts.has(name)) return [name, 0] as const
      return [name, type === 'sunssf' ? -(offset % 3) : offset + 1] as const
    })
    return { model, ...(model === 704 && { length: 65 }), values: Object.fromEntries(values) }
  })
}

/** Our listing, as the foreign client shows it: an accumulator of 0 is null there. */
function asForeign(listing: DeviceListing): ForeignListing {
  const { base, models } = listing
  return {
    base,
    models: models.map(({ model, points }) => ({
      id: model,
      points: Object.fromEntries(
        points.map(({ path, value }) => [path, typeof value === 'bigint' ? Number(value) : value]),
      ),
    })),
  }
}

describe.skipIf(python === undefined)('a client of others: pysunspec2', () => {
  test.each([0, 40_000, 50_000])('shows the same points and values as we, of every model at %i', async (base) => {
    const { bank, peer, clock } = await startSunspecBench()
    putModels(bank, everyModel(), { base })
    const { stdout } = await run(python ?? '', [SCRIPT, String(peer.port)])
    const foreign: ForeignListing = JSON.parse(stdout)
    const ours = asForeign(await listOnSocket(peer.port, clock))
    expect(ours.models).toHaveLength(knownModels().length)
    for (const [index, { id, points }] of ours.models.entries()) {
      const theirs = foreign.models[index]
      expect(theirs?.id).toBe(id)
      expect(Object.keys(theirs?.points ?? {}).toSorted()).toEqual(Object.keys(points).toSorted())
      for (const [path, value] of Object.entries(points)) {
        const other = theirs?.points[path]
        if (typeof value === 'number' && typeof other === 'number') expect(value, `${id} ${path}`).toBeCloseTo(other, 9)
        else expect([`${id} ${path}`, value]).toEqual([`${id} ${path}`, other])
      }
    }
  })

  test('and we read what it has written', async () => {
    const { bank, peer, open } = await startSunspecBench()
    putModels(bank, [
      { model: 1, values: {} },
      { model: 123, values: { WMaxLimPct: 100, WMaxLimPct_SF: -1, WMaxLim_Ena: 1 } },
    ])
    const driver = await open({ limit: { model: 123, point: 'WMaxLimPct' } })
    await run(python ?? '', [SCRIPT, String(peer.port), '123', 'WMaxLimPct', '55.5'])
    expect(await driver.read(['limit'])).toEqual([{ raw: 55.5 }])
  })
})
