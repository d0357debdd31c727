import { catalogue } from './language.ts'

/** The way out of a hold that the controller cannot restore. */
export const closeHold = catalogue('closeHold', {
  title: 'Close the hold of {name}?',
  notRestored: 'The controller could not set {name} back to {value}.',
  notKnown: 'The controller cannot restore {name}: its value from before is unknown.',
  lastRead: 'Last read: {value}, {age} ago ({time}).',
  neverRead: 'The controller has not read this datapoint.',
  writeOnly: 'This datapoint is write only, so nobody can read what the equipment has.',
  outcome: 'What happened to the equipment',
  outcomes: { 'restored-by-hand': 'Restored by hand', abandoned: 'Abandoned' },
  outcomeHints: {
    'restored-by-hand': 'Someone has set the equipment to the value that it should have.',
    abandoned: 'The equipment stays as it is, for example because it is gone or something else controls it.',
  },
  reason: 'Reason',
  reasonHint: 'The audit log and the activity log keep it, with your name.',
  nothingWritten:
    'Plantroom writes nothing more to this equipment, until an override, peak shaving or a schedule takes it again.',
  offline: 'The controller does not answer. The hold is on the controller: close it when the controller is back.',
  gone: 'This hold is already over. There is nothing to close.',
  action: 'Close the hold',
  done: 'Closed the hold of {name}',
})
