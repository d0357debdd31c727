import { catalogue } from './language.ts'

/** Who holds a datapoint, at what value, until when, and what follows. */
export const holds = catalogue('holds', {
  writer: {
    'demand-response': 'Demand response',
    'peak-shaving': 'Peak shaving',
    deviation: 'Schedule',
    plain: 'Being released',
  },
  holder: '{writer}, placed by {name}',
  placedBy: 'Placed by {name}',
  heldAt: 'Held at {value}',
  returningTo: 'Returning to {value}',
  actual: 'The equipment is at {value}',
  untilTime: 'Until {time}',
  untilPassed: 'Should have ended at {time}. The controller has not confirmed it.',
  until: 'Until {time} ({left} left)',
  untilAnyMoment: 'Until {time} (ending now)',
  untilOverdue: 'Should have ended at {time}. The controller still holds it.',
  untilBelowLimit: 'Until the load is below its limit',
  untilScheduleEnds: 'Until the schedule slot ends',
  untilReleased: 'Until it is released',
  thenBackTo: 'Then back to {value}',
  thenLeft: 'Then left as it is: the previous value is unknown',
  thenHeld: {
    'demand-response': 'Then demand response holds it at {value}',
    'peak-shaving': 'Then peak shaving holds it at {value}',
    deviation: 'Then the schedule holds it at {value}',
  },
  thenTakesOver: {
    'demand-response': 'Then demand response takes over',
    'peak-shaving': 'Then peak shaving takes over',
    deviation: 'Then the schedule takes over',
  },
  trouble: {
    'write-failed': 'Writing to the equipment failed.',
    'not-taken': 'The equipment did not accept the value.',
  },
  troubleBecause: {
    'write-failed': 'Writing to the equipment failed ({reason}).',
    'not-taken': 'The equipment did not accept the value ({reason}).',
  },
  retrying: 'The controller keeps retrying, at least once a minute.',
  state: {
    reading: 'Reading first',
    waiting: 'Waiting for limits',
    writing: 'Writing',
    holding: 'Holding',
    releasing: 'Releasing',
    stuck: 'Cannot be restored',
  },
  stateHint: {
    reading: 'The controller has not read the value from before yet. It writes nothing until it has.',
    waiting: 'The limits of the datapoint do not allow the value yet. The controller writes it as soon as they do.',
    writing: 'No reading shows the value yet.',
    holding: 'A reading shows the value.',
    releasing: 'The controller restores the value from before. No reading shows it yet.',
    stuck: 'The controller cannot restore the value from before. Set the equipment by hand, then close the hold.',
  },
  releaseWaits: 'The release waits for the controller.',
  close: 'Close the hold…',
  closeOf: 'Close the hold of {name}…',
  fromTo: 'From {from} to {to}',
})

/** What is known about a hold of a controller that does not answer. */
export const unanswered = catalogue('unanswered', {
  ends: 'If only its connection is down, the controller ends this on time.',
  ended: 'If only its connection is down, the controller ended this at {time}.',
  goesOn: 'If only its connection is down, the controller goes on as before.',
  releases: 'If only its connection is down, the controller keeps trying to restore the value.',
  staysAt: 'If it has no power, the equipment stays at {value}: go there.',
  stays: 'If it has no power, the equipment stays as it is: go there.',
  reversion:
    'If it has no power, the failsafe of the equipment should end this within {time}. Go there if you must be sure.',
  heartbeat:
    'If it has no power, the equipment misses its heartbeat and should fall back to its failsafe. Go there if you must be sure.',
})
