import { repeat, repetitions } from '@plantroom/testkit/repetitions'
import { temporaryFolder } from '@plantroom/testkit/temporary-folder'
import { describe, expect, onTestFinished, test } from 'vitest'
import { bytesSource } from './archive/byte-source.ts'
import { verifyArchive } from './archive/verify.ts'
import { createManifestChecker } from './check/checker.ts'
import { LIMITS } from './limits.ts'
import { readManifest } from './read-package.ts'
import { PackageRefused } from './refusal.ts'
import { ARCHIVERS } from './testing/archivers.ts'
import { mutated } from './testing/mutations.ts'
import { expectOthersToAgree, startPythonZipfile, withoutPython } from './testing/other-readers.ts'
import { createRandom } from './testing/random.ts'
import { readArchive } from './testing/read-archive.ts'
import { REBUILT_ARCHIVERS } from './testing/rebuilt-archivers.ts'
import { writeSite } from './testing/small-site.ts'

const RUNS = 1
const MUTATIONS_PER_RUN = 250
const RUN_TIMEOUT_MS = 60_000

type Files = ReadonlyMap<string, Buffer>

/** Reads every file, and checks the manifest if there is one. Throws any error except a refusal. */
async function readOrRefuse(archive: Buffer): Promise<Files | PackageRefused> {
  try {
    const files = await readArchive(archive)
    await checkManifest(archive)
    return files
  } catch (error) {
    if (error instanceof PackageRefused) return error
    throw error
  }
}

async function checkManifest(bytes: Buffer): Promise<void> {
  const source = bytesSource(bytes)
  const archive = verifyArchive(source)
  const manifest = archive.find('manifest.json')
  if (!manifest) return
  const checker = createManifestChecker(archive.find)
  await readManifest({ path: '', source, archive, manifest, [Symbol.dispose]: () => {} }, checker)
  const { problems, problemCount } = checker.findings()
  expect(problems).toHaveLength(problemCount)
}

function expectWithinBounds(files: Files): void {
  let all = 0
  for (const [path, content] of files) {
    expect(path).not.toMatch(/^\/|\\|(^|\/)\.{0,2}(\/|$)/)
    expect(content.length).toBeLessThanOrEqual(LIMITS.fileBytes)
    all += content.length
  }
  expect(all).toBeLessThanOrEqual(LIMITS.allFilesBytes)
}

describe('a mutated archive', () => {
  test('is refused, or read as other tools read it', { timeout: repetitions(RUNS) * RUN_TIMEOUT_MS }, async () => {
    const valid: Buffer[] = []
    for (const { archive } of [...ARCHIVERS, ...REBUILT_ARCHIVERS].filter(({ missing }) => !missing)) {
      const folder = temporaryFolder()
      writeSite(folder)
      valid.push(await archive(folder))
    }
    const python = withoutPython ? undefined : startPythonZipfile()
    onTestFinished(() => python?.end())

    let accepted = 0
    await repeat(RUNS, async ({ seed }) => {
      const random = createRandom(seed)
      for (let index = 0; index < MUTATIONS_PER_RUN; index += 1) {
        const archive = mutated(valid[random(valid.length)] as Buffer, random)
        try {
          const reading = await readOrRefuse(archive)
          if (reading instanceof PackageRefused) continue
          accepted += 1
          expectWithinBounds(reading)
          await expectOthersToAgree(archive, reading, python)
        } catch (error) {
          throw new Error(`mutation ${index}: ${error instanceof Error ? error.message : error}`, { cause: error })
        }
      }
    })
    // Mutations of times, attributes and comments are harmless. If too few archives are accepted, little was compared.
    expect(accepted).toBeGreaterThan((repetitions(RUNS) * MUTATIONS_PER_RUN) / 100)
  })
})
