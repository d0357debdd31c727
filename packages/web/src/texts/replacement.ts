import { catalogue } from './language.ts'

/** New hardware for a controller, and the version of its software. */
export const replacement = catalogue('replacement', {
  open: 'Replace hardware',
  openLabel: 'Replace hardware of {name}',
  title: 'Replace the hardware of {name}?',
  intro:
    'The new controller keeps the name and ID. It gets what is commissioned and what was held when it connects for the first time, with an empty data folder.',
  oneMaster:
    'Switch the old controller off, or take it off the network of the equipment, before you start the new one. Without the service it still controls.',
  online:
    'This controller is online. Replace it only if you are about to switch it off: it is disconnected immediately.',
  waiting: 'Since {time} a new controller is expected. If you continue, it needs the newest secret.',
  problem: 'The new controller could not take over: {problem}',
  restored: 'The controller that runs now took over at {time}.',
  systems:
    '{count, plural, =0 {Nothing is commissioned.} one {# technical system is loaded onto the new controller.} other {# technical systems are loaded onto the new controller.}}',
  stateAt: 'What the controller held, as of {time}',
  noState: 'The controller never said what it held.',
  overrides: '{count, plural, =0 {No override continues.} one {# override continues:} other {# overrides continue:}}',
  override: '{datapoint} at {value} until {time}',
  queued: '{datapoint} at {value} from {time}',
  limits: '{count, plural, one {# power limit continues:} other {# power limits continue:}}',
  limit: '{limit}, until {time}',
  queuedLimit: '{limit}, from {time}',
  releases: '{datapoint} is set back to {value}',
  releasesUnknown: '{datapoint} is released, but its value from before is not known: check the equipment',
  untouched: '{datapoint} was held so long ago that it is left as it is: check the equipment',
  leftOut:
    '{count, plural, one {# override or power limit is over and does not come back} other {# overrides or power limits are over and do not come back}}',
  unknown:
    '{count, plural, one {# accepted override or power limit is not known well enough: place it again} other {# accepted overrides or power limits are not known well enough: place them again}}',
  action: 'Replace hardware',
  version: 'Version {version}',
  tooOld: 'Too old for this service: update the controller. Until then it gets no commands, except cancels.',
  tooNew: 'Too new for this service: update the service. Until then the controller gets no commands, except cancels.',
})
