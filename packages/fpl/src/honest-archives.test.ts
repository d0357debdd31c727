import { temporaryFolder } from '@plantroom/testkit/temporary-folder'
import { describe, expect, test } from 'vitest'
import { ARCHIVERS, bsdtarToPipe } from './testing/archivers.ts'
import { without } from './testing/programs.ts'
import { readArchive } from './testing/read-archive.ts'
import { REBUILT_ARCHIVERS } from './testing/rebuilt-archivers.ts'
import { SMALL_SITE, writeSite } from './testing/small-site.ts'

/** What archivers add of their own, beside the site. */
const THEIR_OWN = /^(META-INF|__MACOSX)\//

const byName = (files: ReadonlyMap<string, Buffer>) =>
  Object.fromEntries(
    [...files]
      .filter(([path]) => !THEIR_OWN.test(path))
      .map(([path, content]) => [path.normalize('NFC'), content.toString('base64')] as const)
      .map(([path, content]) => [path, path === 'manifest.json' ? manifestOf(content) : content])
      .sort(),
  )
// Our own writer lays its manifest out in its own way.
const manifestOf = (base64: string) => JSON.parse(Buffer.from(base64, 'base64').toString())

describe('an honest archive', () => {
  for (const { name, missing = false, archive } of [...ARCHIVERS, ...REBUILT_ARCHIVERS]) {
    test.skipIf(missing)(`is taken: ${name}`, async () => {
      const folder = temporaryFolder()
      writeSite(folder)
      expect(byName(await readArchive(await archive(folder)))).toEqual(byName(SMALL_SITE))
    })
  }
})

test.skipIf(without('bsdtar'))('an archive that was filled up with zeros is refused, whoever did it', async () => {
  const folder = temporaryFolder()
  writeSite(folder)
  await expect(readArchive(bsdtarToPipe(folder))).rejects.toThrow('The package is not a valid .fpl archive')
})
