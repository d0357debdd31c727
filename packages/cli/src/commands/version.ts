import { VERSION } from '@plantroom/contract/version'
import { COMMON_FLAGS } from '../command.ts'
import { command, verb } from '../declare.ts'
import { print } from '../output.ts'

export const version = command('version', {
  group: 'self',
  about: 'print the version of this program',
  verbs: {
    '': verb({
      about: 'print the version of this program, as plantroom --version does',
      options: { json: COMMON_FLAGS.json },
      json: '{version}',
      async run(flags) {
        print(flags.json, { version: VERSION }, () => `plantroom ${VERSION}`)
      },
    }),
  },
})
