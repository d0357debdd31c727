import { blocksOf } from './blocks.ts'
import type { Preparation } from './run-page.ts'

const IMPORT = 'docs/how-to/import-and-export-requests.md'

/** Returns the first block of a page in a language, which the reader is asked to save. */
const blockOf = (source: string, language: string) =>
  blocksOf(source).find((block) => block.language === language)?.text ?? ''

/** What pages need beside a running demo. */
export const PREPARATIONS: Readonly<Record<string, Preparation>> = {
  'docs/how-to/convert-an-export.md': {
    files: {
      'export.csv': 'Id,Title,Status,Due date\n1,Radiator is cold,open,2026-03-01\n2,Tap leaks,closed,\n',
      'orders.json': '{"orders":[{"id":"WO-2","name":"Tap leaks"}]}',
      'cold.jpg': 'picture',
    },
    sameOutput: false,
  },
  // The demo has one battery of 50 kW.
  'docs/how-to/dispatch-a-fleet.md': { instead: [['-500', '-20']] },
  'docs/how-to/back-up-and-restore.md': { instead: [['/backups/', './']] },
  'docs/reference/cli.md': {
    instead: [
      ['-500', '-20'],
      ['Boiler room', 'Demo controller'],
      ['Main building', 'Demo building'],
      ["'Charge power' 10 --for 30s", "'Charge power' 10 --for 5s"],
    ],
    // A profile is kept only if its service accepts the secret, and only a hold that is stuck can be closed. The others need a
    // file, or a VTN with events.
    skips: [
      'plantroom profile add',
      'plantroom hold close',
      'plantroom commission boiler-room file.yaml',
      'plantroom openadr add',
      'plantroom openadr opt-out',
    ],
  },
  [IMPORT]: {
    files: {
      'site/manifest.json': blockOf(IMPORT, 'json'),
      'site/attachments/1017/photo.jpg': 'picture',
    },
  },
}
