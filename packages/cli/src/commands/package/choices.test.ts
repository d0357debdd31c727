import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '@plantroom/testkit/temporary-folder'
import { describe, expect, test } from 'vitest'
import type { SiteClient } from '../../clients.ts'
import { UsageError } from '../../command.ts'
import { optionsOf, readChoiceFlags } from './choices.ts'

const page = { nextCursor: null }
const target = {
  site: { orgId: 'org', propertyId: 'site' },
  client: {
    listUnits: async () => ({ units: [{ id: 'unit_1', name: 'Room 1' }], ...page }),
    listTags: async () => ({ tags: [{ id: 'tag_1', name: 'leak' }], ...page }),
    listPeople: async () => ({ people: [{ id: 'person_1', email: 'Õie@x.ee' }], ...page }),
  },
} as unknown as SiteClient

function mapFile(text: string): string {
  const path = join(temporaryFolder(), 'map.yaml')
  writeFileSync(path, text)
  return path
}

describe('the choices of an import', () => {
  test('are absent without flags', async () => {
    expect(await readChoiceFlags({})).toBeUndefined()
    expect(await optionsOf(target, undefined)).toBeUndefined()
  })

  test('lead from names of the package to ids of the site', async () => {
    const map = mapFile('units: { Room 1a: Room 1 }\npeople:\n  old@x.ee: õIE@x.ee\ntags: { leaks: tag_1 }\n')
    expect(await optionsOf(target, await readChoiceFlags({ create: 'units,tags', map }))).toEqual({
      units: { create: true, map: { 'Room 1a': 'unit_1' } },
      people: { map: { 'old@x.ee': 'person_1' } },
      tags: { create: true, map: { leaks: 'tag_1' } },
    })
  })

  test('name what the site does not have', async () => {
    const given = await readChoiceFlags({ map: mapFile('units: { Room 1a: Room 9 }') })
    await expect(optionsOf(target, given)).rejects.toThrow(
      'the site has none of units named Room 9, to which Room 1a is mapped',
    )
  })

  test.each(['rooms: { a: b }', 'units: [a]', 'units: { a: 5 }'])('refuse the file %j', async (text) => {
    await expect(readChoiceFlags({ map: mapFile(text) })).rejects.toThrow(UsageError)
  })
})
