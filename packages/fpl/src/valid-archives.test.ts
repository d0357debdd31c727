import { temporaryFolder } from '@plantroom/testkit/temporary-folder'
import { describe, expect, test } from 'vitest'
import { ARCHIVERS } from './testing/archivers.ts'
import { readArchive } from './testing/read-archive.ts'
import { REBUILT_ARCHIVERS } from './testing/rebuilt-archivers.ts'
import { SMALL_SITE, writeSite } from './testing/small-site.ts'

/** Paths that archivers add to the site's files. */
const THEIR_OWN = /^(META-INF|__MACOSX)\//

const byName = (files: ReadonlyMap<string, Buffer>) =>
  Object.fromEntries(
    [...files]
      .filter(([path]) => !THEIR_OWN.test(path))
      .map(([path, content]) => [path.normalize('NFC'), content.toString('base64')] as const)
      .map(([path, content]) => [path, path === 'manifest.json' ? manifestOf(content) : content])
      .sort(),
  )
// Our writer formats its manifest differently.
const manifestOf = (base64: string) => JSON.parse(Buffer.from(base64, 'base64').toString())

describe('a valid archive', () => {
  for (const { name, missing = false, archive } of [...ARCHIVERS, ...REBUILT_ARCHIVERS]) {
    test.skipIf(missing)(`is accepted: ${name}`, async () => {
      const folder = temporaryFolder()
      writeSite(folder)
      expect(byName(await readArchive(await archive(folder)))).toEqual(byName(SMALL_SITE))
    })
  }
})
