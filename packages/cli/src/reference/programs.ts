import { COMMON_FLAGS, flag, type OptionTable, valued } from '../command.ts'
import type { CommandReference } from './model.ts'

const JSON_RESULT = { json: COMMON_FLAGS.json } as const
const SETTINGS = 'Settings come from the environment and from plantroom.yaml: see docs/reference/settings.md.'
const CONFIG = { config: valued('FILE', 'take settings from this file, besides the environment') } as const
const ENCRYPT_TO = valued('AGE1', 'encrypt to this public key of age; may be repeated')
const PASSPHRASE_FILE = valued('FILE', 'encrypt to the passphrase in this file')
const KEYS = {
  'identity-file': valued('FILE', 'decrypt with the private keys of age in this file'),
  'passphrase-file': valued('FILE', 'decrypt with the passphrase in this file'),
} as const
const FILE = { name: 'FILE', completes: 'file' } as const
const SCANNED = ['bacnet', 'sunspec', 'modbus', 'modbus-rtu', 'modbus-rtu-tcp'] as const
const OPTIONAL_FILE = { ...FILE, optional: true } as const

/**
 * Commands that other programs run: parts of Plantroom and the tools of its developers. They have help of their own; a row
 * here puts them into the list of commands, the completion and the man page.
 */
export const PROGRAMS: Readonly<Record<string, CommandReference>> = {
  cloud: program('run', 'run the HTTP API and the broker', CONFIG, SETTINGS),
  worker: program('run', "run the cloud's jobs (packages) and send its mail", CONFIG, SETTINGS),
  edge: {
    group: 'run',
    about: 'run the agent on a controller',
    verbs: {
      '': { about: 'run the agent on a controller in a building', arguments: [], options: CONFIG },
      probe: {
        about: 'test a commissioning file against the equipment; writes nothing',
        arguments: [FILE],
        options: JSON_RESULT,
      },
      scan: {
        about: 'find equipment where you point, and make a commissioning file of it; writes nothing to it',
        arguments: [
          { name: 'PROTOCOL', choices: SCANNED },
          { name: 'TARGET', optional: true },
        ],
        options: {
          units: valued('LIST', 'the unit ids to ask, for example 1-10,20'),
          set: valued('KEY=VALUE', 'a setting of the connection; may be repeated'),
          file: valued('FILE', 'write a commissioning file, to edit'),
          ede: valued('FILE', 'write an EDE file (BACnet)'),
          'from-ede': valued('FILE', 'read an EDE file instead of asking equipment (BACnet)'),
          name: valued('NAME', 'the name of the technical system in the file'),
          ...JSON_RESULT,
        },
      },
      config: {
        about: 'check the settings, or show all of them without secrets',
        arguments: [{ name: 'check|show', choices: ['check', 'show'] }, OPTIONAL_FILE],
        options: JSON_RESULT,
      },
      doctor: {
        about: 'check what the controller needs, and say how to mend it',
        arguments: [],
        options: { ...JSON_RESULT, ...CONFIG },
      },
      support: {
        about: 'write a file for support, without secrets',
        arguments: [{ name: 'bundle', choices: ['bundle'] }, FILE],
        options: CONFIG,
      },
    },
    notes: SETTINGS,
  },
  simulate: program(
    'run',
    'run a simulated building, or the equipment of a template',
    { template: valued('NAME', 'equipment with the addresses of this template, instead of the building') },
    SETTINGS,
  ),
  prepare: program('run', 'install everything and build the console, without starting anything'),
  backup: {
    group: 'run',
    about: 'copy database, files and secrets of one moment to one file',
    verbs: {
      '': {
        about: 'write a backup to FILE, or with - to standard output, while the service runs',
        arguments: [FILE],
        options: {
          ...JSON_RESULT,
          ...CONFIG,
          force: flag('replace FILE, if it exists'),
          'with-bucket': flag('copy the files of a bucket, too, instead of listing them'),
          'encrypt-to': ENCRYPT_TO,
          'passphrase-file': PASSPHRASE_FILE,
          unencrypted: flag('write to standard output without encryption'),
          'without-secrets': flag('leave the secrets of the data folder out'),
        },
      },
      verify: { about: 'compare a backup with its checksums', arguments: [FILE], options: { ...JSON_RESULT, ...KEYS } },
    },
    notes: SETTINGS,
  },
  restore: {
    group: 'run',
    about: 'restore a backup',
    verbs: {
      '': {
        about: 'restore a backup into the database and the data folder of the settings',
        arguments: [FILE],
        options: { ...JSON_RESULT, ...CONFIG, ...KEYS, replace: flag('delete the data that is already there') },
      },
    },
    notes: SETTINGS,
  },
  config: {
    group: 'run',
    about: 'check or show the settings of cloud and worker',
    verbs: {
      check: { about: 'check the settings', arguments: [OPTIONAL_FILE], options: JSON_RESULT },
      show: { about: 'show all settings, without secrets', arguments: [OPTIONAL_FILE], options: JSON_RESULT },
    },
  },
  doctor: program('run', 'check what the service needs, and say how to mend it', { ...JSON_RESULT, ...CONFIG }),
  support: {
    group: 'run',
    about: 'write a file for support, without secrets and personal data',
    verbs: { bundle: { about: 'write it to FILE', arguments: [FILE], options: CONFIG } },
  },
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
