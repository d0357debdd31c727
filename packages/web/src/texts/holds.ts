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
  actual: 'The equipment is at {value}',
  untilTime: 'Until {time}',
  untilPassed: 'Should have ended at {time}. The controller has not confirmed it.',
  until: 'Until {time} ({left} left)',
  untilAnyMoment: 'Until {time} (ending now)',
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
    'write-failed': 'Writing to the equipment failed. The controller keeps retrying, at least once a minute.',
    'not-taken': 'The equipment did not accept the value.',
  },
  troubleBecause: {
    'write-failed':
      'Writing to the equipment failed ({reason}). The controller keeps retrying, at least once a minute.',
    'not-taken': 'The equipment did not accept the value ({reason}).',
  },
  fromTo: 'From {from} to {to}',
})
