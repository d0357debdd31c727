import { catalogue } from './language.ts'

/** The settings of a site. */
export const siteSettings = catalogue('siteSettings', {
  title: 'Site',
  intro: 'The name, time zone and features of this site.',
  forAdmins: 'Only administrators of the organization can change these settings.',

  naming: {
    title: 'Name and time zone',
    name: 'Name',
    timeZone: 'Time zone',
    timeZoneHint:
      'Schedules and hourly limits use this time zone. A controller adopts a new time zone when it is commissioned again.',
    saved: 'Saved',
    blank: 'Enter a name for the site.',
  },

  requests: {
    title: 'Maintenance requests',
    isOn: 'Maintenance requests are on. People with access to this site can view, change, import and export them.',
    isOff:
      'Maintenance requests are off. Nobody can view or import requests. Existing requests reappear when you turn them on.',
    turnOn: 'Turn on maintenance requests',
    turnOff: 'Turn off maintenance requests',
    offTitle: 'Turn off maintenance requests?',
    offConsequence:
      'Nobody can view or import requests of this site, and API keys are rejected. Nothing is deleted: turn them on again to restore everything.',
    nowOn: 'Maintenance requests are on',
    nowOff: 'Maintenance requests are off',
  },
  ids: { title: 'IDs for programs', organization: 'Organization', site: 'Site' },
})
