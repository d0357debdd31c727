import { catalogue } from './language.ts'

/** The first steps of a new organization. */
export const gettingStarted = catalogue('gettingStarted', {
  title: 'Getting started',
  progress: '{count, plural, one {{done} of # step done} other {{done} of # steps done}}',
  done: '(done)',
  dismiss: 'Hide this list',
  dismissed: 'The list of first steps is hidden',
  steps: {
    site: {
      action: 'Add a site',
      why: 'A site is a building or a property. Controllers, members and maintenance requests belong to it.',
    },
    controller: {
      action: 'Add a controller',
      why: 'It runs in the building and talks to the equipment. You get the command that starts it.',
    },
    commissioned: {
      action: 'Load a commissioning file',
      why: 'It lists the equipment, and the datapoints that can be read and overridden.',
    },
    key: {
      action: 'Create an API key',
      why: 'A flexibility provider uses it to read values and to place overrides from its own program.',
    },
    override: {
      action: 'Place a first override',
      why: 'Hold one datapoint for a few minutes, and see on the page that the controller releases it on time.',
    },
  },
})
