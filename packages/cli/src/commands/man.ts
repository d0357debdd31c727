import { command, verb } from '../declare.ts'
import { manPage } from '../reference/man-page.ts'
import type { Reference } from '../reference/reference.ts'

/** Declares `plantroom man`. It takes the reference as a function, because it is part of the reference. */
export const createMan = (reference: () => Reference) =>
  command('man', {
    group: 'self',
    about: 'print the man page',
    verbs: {
      '': verb({
        about: 'print the man page in the format of man(7)',
        options: {},
        examples: ['plantroom man | man -l -'],
        async run() {
          process.stdout.write(manPage(reference()))
        },
      }),
    },
  })
