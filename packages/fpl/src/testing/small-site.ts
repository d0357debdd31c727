import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { randomBytesOf } from './random.ts'

const TICKETS = [
  {
    externalId: 'A-1',
    title: 'Radiator cold in õppeklass',
    state: 'open',
    attachments: [{ path: 'attachments/photo.jpg' }, { path: 'attachments/küte/ülevaade.txt' }],
    comments: [{ content: 'Valve replaced', attachments: [{ path: 'attachments/log.txt' }] }],
  },
  { externalId: 'A-2', title: 'Draught', state: 'new', attachments: [{ path: 'attachments/empty.txt' }] },
]

/** A complete package in a few files, with every kind of name and content that archivers treat differently. */
export const SMALL_SITE: ReadonlyMap<string, Buffer> = new Map([
  ['manifest.json', Buffer.from(JSON.stringify({ version: '1.0', tickets: TICKETS }))],
  ['attachments/photo.jpg', randomBytesOf(5_000, 1)],
  ['attachments/log.txt', Buffer.from('2026-01-05 boiler 61.5 °C\n'.repeat(4_000))],
  ['attachments/küte/ülevaade.txt', Buffer.from('Katlamaja ülevaade\n')],
  // Decomposed, as macOS writes it: the letter and its tilde are separate.
  ['attachments/õhuklapp.txt'.normalize('NFD'), Buffer.from('Õhuklapp\n')],
  ['attachments/empty.txt', Buffer.alloc(0)],
])

export function writeSite(folder: string, site: ReadonlyMap<string, Buffer> = SMALL_SITE): void {
  for (const [path, content] of site) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), content)
  }
}
