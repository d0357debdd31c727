import { repeat, repetitions } from '@plantroom/testkit/repetitions'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectOthersToAgree, type PythonZipfile, startPythonZipfile, withoutPython } from './testing/other-readers.ts'
import { createRandom, randomBytesOf } from './testing/random.ts'
import { readArchive } from './testing/read-archive.ts'
import { buildZip, type DescriptorKind, type EntryParts, extraField } from './testing/zip-builder.ts'

const RUNS = 2
const ARCHIVES_PER_RUN = 150
const RUN_TIMEOUT_MS = 60_000

const DESCRIPTORS: readonly (DescriptorKind | undefined)[] = [undefined, undefined, 'signed', 'unsigned']
const NAMES = [
  'attachments/a',
  'attachments/küte',
  'attachments/õ'.normalize('NFD'),
  'attachments/热',
  'PK\x20',
  'x'.repeat(300),
]
// Content that looks like archive records but lies inside a file or a comment.
const CONTENTS = [
  '',
  'a',
  'PK\x03\x04',
  'PK\x05\x06'.padEnd(22, '\0'),
  'PK\x07\x08'.repeat(5),
  'PK\x01\x02'.padEnd(60, 'x'),
]

type Random = ReturnType<typeof createRandom>
const oneOf = <Value>(values: readonly Value[], random: Random) => values[random(values.length)] as Value

function anEntry(index: number, random: Random): EntryParts {
  const descriptor = oneOf(DESCRIPTORS, random)
  const zip64 = random(4) === 0
  return {
    name: `${oneOf(NAMES, random)}-${index}`,
    data:
      random(3) === 0
        ? randomBytesOf(random(random(20) === 0 ? 70_000 : 2_000), random(2 ** 31))
        : Buffer.from(oneOf(CONTENTS, random), 'latin1'),
    method: oneOf([0, 8], random),
    ...(descriptor && { descriptor: zip64 ? (`${descriptor}64` as DescriptorKind) : descriptor }),
    zip64,
    ...(random(3) === 0 && { extra: extraField(0x5455, Buffer.from([1, 0, 0, 0, 0])) }),
    central: { comment: random(5) === 0 ? 'PK, a comment' : '', externalAttributes: random(2) * 0o100644 * 0x10000 },
  }
}

/** Valid archives in any mixture of shapes. */
function anArchive(random: Random): Buffer {
  const entries = Array.from({ length: random(6) }, (_, index) => anEntry(index, random))
  const folders = random(3) === 0 ? [{ name: 'attachments/' }] : []
  const comment = oneOf(['', 'made by hand', 'PK\x01\x02 and PK\x03\x04'], random)
  return Buffer.from(buildZip([...folders, ...entries], { zip64End: random(4) === 0, comment }))
}

describe('a valid archive of any shape', () => {
  let python: PythonZipfile | undefined
  beforeAll(() => {
    python = withoutPython ? undefined : startPythonZipfile()
  })
  afterAll(() => python?.end())

  test('is accepted, and read as other tools read it', { timeout: repetitions(RUNS) * RUN_TIMEOUT_MS }, async () => {
    await repeat(RUNS, async ({ seed }) => {
      const random = createRandom(seed)
      for (let index = 0; index < ARCHIVES_PER_RUN; index += 1) {
        const archive = anArchive(random)
        try {
          await expectOthersToAgree(archive, await readArchive(archive), python)
        } catch (error) {
          throw new Error(`archive ${index}: ${error instanceof Error ? error.message : error}`, { cause: error })
        }
      }
    })
    expect.hasAssertions()
  })
})
