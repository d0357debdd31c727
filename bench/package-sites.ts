import { deflated, type PackedFile, stored, writeArchive } from './package-archive.ts'

/** The contents of a package to measure. */
export interface Site {
  requests: number
  /** Per request. */
  comments?: number
  /** Characters of each description. */
  description?: number
  files?: number
  fileBytes?: number
  /** How the files are stored in the archive, alternating. */
  packing?: readonly ('stored' | 'deflated')[]
}

/** So many different contents that none stays in a cache until it is used again. */
const DIFFERENT_FILES = 64

/** Writes a valid package. The same site gives the same bytes. */
export function writeSite(path: string, site: Site): void {
  const { files = 0, fileBytes = 0, packing = ['deflated'] } = site
  const random = createRandom(1)
  const makers = packing.map((how) =>
    how === 'stored'
      ? () => stored(noise(random, sizeNear(random, fileBytes)))
      : () => deflated(Buffer.from(prose(random, sizeNear(random, fileBytes)), 'latin1')),
  )
  const contents = Array.from({ length: Math.min(files, DIFFERENT_FILES) }, (_, index) =>
    (makers[index % makers.length] as () => PackedFile)(),
  )
  const manifest = deflated(Buffer.concat([...manifestParts(site, random)]))
  writeArchive(path, entriesOf(manifest, files, contents))
}

function* entriesOf(
  manifest: PackedFile,
  files: number,
  contents: readonly PackedFile[],
): Generator<readonly [string, PackedFile]> {
  yield ['manifest.json', manifest]
  for (let index = 0; index < files; index += 1) {
    const content = contents[index % contents.length]
    if (content) yield [attachmentPath(index), content]
  }
}

const attachmentPath = (index: number) => `attachments/${Math.floor(index / 1000)}/file-${index}.bin`

function* manifestParts(
  { requests, comments = 0, description = 200, files = 0 }: Site,
  random: Random,
): Generator<Buffer> {
  yield Buffer.from('{"version":"1.0","exportedAt":"2026-03-01T08:00:00Z","tickets":[')
  let file = 0
  for (let index = 0; index < requests; index += 1) {
    const share = Math.floor(((index + 1) * files) / requests)
    const attachments = Array.from({ length: share - file }, (_, place) => ({ path: attachmentPath(file + place) }))
    file = share
    const ticket = {
      externalId: `SRC-${index}`,
      number: index + 1,
      title: prose(random, 40),
      state: ['new', 'open', 'in_progress', 'resolved', 'closed'][index % 5],
      description: prose(random, description),
      priority: index % 4,
      scope: 'unit',
      reporter: { name: prose(random, 14), email: `reporter.${index % 5000}@example.org`, phone: '+372 5555 1234' },
      assignee: `technician.${index % 20}@example.org`,
      unit: `Apartment ${index % 400}`,
      tags: [`tag ${index % 30}`, `tag ${index % 7}`],
      createdAt: '2025-11-03T10:15:00Z',
      updatedAt: '2025-11-04T09:00:00+02:00',
      attachments,
      comments: Array.from({ length: comments }, () => ({
        content: prose(random, 120),
        author: { email: `reporter.${index % 5000}@example.org` },
        createdAt: '2025-11-03T11:00:00Z',
      })),
    }
    yield Buffer.from(`${index === 0 ? '' : ','}${JSON.stringify(ticket)}`)
  }
  yield Buffer.from(']}')
}

type Random = (limit: number) => number

/** Text that deflates to about 0.4 of its size, like prose. */
function prose(random: Random, length: number): string {
  let text = ''
  while (text.length < length)
    text += `${WORDS[Math.min(random(WORDS.length), random(WORDS.length), random(WORDS.length))]} `
  return text.slice(0, length - 1)
}

/** Incompressible bytes, like those of a photo. */
function noise(random: Random, length: number): Buffer {
  const words = Uint32Array.from({ length: Math.ceil(length / 4) }, () => random(2 ** 32))
  return Buffer.from(words.buffer, 0, length)
}

const sizeNear = (random: Random, size: number) => Math.floor(size / 2) + random(size)

const WORDS = makeWords(createRandom(2))

function makeWords(random: Random): string[] {
  const letters = 'eeeaaiiosstnrldukmvpghõäöü'
  const letter = () => letters[random(letters.length)]
  return Array.from({ length: 3000 }, () => Array.from({ length: 2 + random(9) }, letter).join(''))
}

/** mulberry32 */
function createRandom(seed: number): Random {
  let state = seed
  return (limit) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit)
  }
}
