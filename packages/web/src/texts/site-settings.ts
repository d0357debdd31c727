/** The words of the settings of a site. */
export const siteSettings = {
  title: 'Site',
  intro: 'What this site is called, by which clock it goes, and what is turned on for it.',
  forAdmins: 'Administrators of the organization change these settings.',

  naming: {
    title: 'Name and time zone',
    name: 'Name',
    timeZone: 'Time zone',
    timeZoneHint:
      'Schedules and hourly limits are meant in it. A device goes by a new zone once it is commissioned again.',
    save: 'Save',
    saved: 'Saved',
    blank: 'Give the site a name.',
  },

  requests: {
    title: 'Maintenance Requests',
    isOn: 'Maintenance Requests are on: people of this site see, change, import and export them.',
    isOff:
      'Maintenance Requests are off: nobody sees or imports requests. Those that are kept come back when they are turned on.',
    turnOn: 'Turn on Maintenance Requests',
    turnOff: 'Turn off Maintenance Requests',
    offTitle: 'Turn off Maintenance Requests?',
    offConsequence:
      'Nobody sees or imports requests of this site any more, and API keys are refused. Nothing is deleted: turn them on again, and everything is as it was.',
    nowOn: 'Maintenance Requests are on now',
    nowOff: 'Maintenance Requests are off now',
  },
} as const
