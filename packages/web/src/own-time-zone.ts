/** Returns the time zone of the browser, the likely one for a new site. */
export const ownTimeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC'
