import { COMMON_FLAGS, flag, type OptionTable, valued } from '../command.ts'
import type { CommandReference } from './model.ts'

const JSON_RESULT = { json: COMMON_FLAGS.json } as const
const SETTINGS = 'Settings come from the environment: see docs/reference/settings.md.'

/**
 * Commands that other programs run: parts of Plantroom and the tools of its developers. They have help of their own; a row
 * here puts them into the list of commands, the completion and the man page.
 */
export const PROGRAMS: Readonly<Record<string, CommandReference>> = {
  cloud: program('run', 'run the HTTP API and the broker', {}, SETTINGS),
  worker: program('run', "run the cloud's jobs (packages) and send its mail", {}, SETTINGS),
  edge: {
    group: 'run',
    about: 'run the agent on a controller',
    verbs: {
      '': { about: 'run the agent on a controller in a building', arguments: [], options: {} },
      probe: {
        about: 'test a commissioning file against the equipment; writes nothing',
        arguments: [{ name: 'FILE', completes: 'file' }],
        options: JSON_RESULT,
      },
    },
    notes: SETTINGS,
  },
  simulate: program('run', 'run a simulated building', {}, SETTINGS),
  prepare: program('run', 'install everything and build the console, without starting anything'),
  test: program('develop', 'run the tests', { changed: flag('only what the diff can affect') }),
  check: program('develop', 'check types, style, import rules and the lockfile'),
  generate: program('develop', 'write the files that follow from the contract and from the commands'),
  bench: program('develop', 'measure the speed', JSON_RESULT),
  campaign: program('develop', 'repeat properties with new seeds, for as long as you like', {
    minutes: valued('N', 'for how long'),
    seed: valued('N', 'the seed of the first run'),
  }),
  screenshots: program('develop', 'shoot every page and dialog of the console'),
  release: program('develop', 'make a release of a checkout'),
}

/** A program without verbs. */
function program(
  group: CommandReference['group'],
  about: string,
  options: OptionTable = {},
  notes?: string,
): CommandReference {
  return { group, about, verbs: { '': { about, arguments: [], options } }, ...(notes !== undefined && { notes }) }
}
