import { COMMON_FLAGS, flag, type OptionTable, valued } from '../command.ts'
import type { CommandReference, VerbReference } from './model.ts'

const JSON_RESULT = { json: COMMON_FLAGS.json } as const
const SETTINGS = 'Settings come from the environment: see docs/reference/settings.md.'

/**
 * Commands that other programs run: parts of Plantroom and the tools of its developers. They have help of their own; a row
 * here puts them into the list of commands, the completion and the man page.
 */
export const PROGRAMS: Readonly<Record<string, CommandReference>> = {
  cloud: { group: 'run', about: 'run the HTTP API and the broker', verbs: alone({}), notes: SETTINGS },
  worker: {
    group: 'run',
    about: "run the cloud's jobs (packages) and send its mail",
    verbs: alone({}),
    notes: SETTINGS,
  },
  edge: {
    group: 'run',
    about: 'run the agent on a controller',
    verbs: {
      '': row('run the agent on a controller in a building', {}),
      probe: {
        ...row('test a commissioning file against the equipment; writes nothing', JSON_RESULT),
        arguments: [{ name: 'FILE', completes: 'file' }],
      },
    },
    notes: SETTINGS,
  },
  simulate: { group: 'run', about: 'run a simulated building', verbs: alone({}), notes: SETTINGS },
  prepare: {
    group: 'run',
    about: 'install everything and build the console, without starting anything',
    verbs: alone({}),
  },
  test: {
    group: 'develop',
    about: 'run the tests',
    verbs: alone({ changed: flag('only what the diff can affect') }),
  },
  check: { group: 'develop', about: 'check types, style, import rules and the lockfile', verbs: alone({}) },
  generate: { group: 'develop', about: 'write the files that follow from the contract', verbs: alone({}) },
  bench: { group: 'develop', about: 'measure the speed', verbs: alone(JSON_RESULT) },
  campaign: {
    group: 'develop',
    about: 'repeat properties with new seeds, for as long as you like',
    verbs: alone({ minutes: valued('N', 'for how long'), seed: valued('N', 'the seed of the first run') }),
  },
  screenshots: { group: 'develop', about: 'shoot every page and dialog of the console', verbs: alone({}) },
  release: { group: 'develop', about: 'make a release of a checkout', verbs: alone({}) },
}

function row(about: string, options: OptionTable): VerbReference {
  return { about, arguments: [], options }
}

/** A program without verbs. Its own help says what it does. */
function alone(options: OptionTable): Readonly<Record<string, VerbReference>> {
  return { '': row('', options) }
}
