/** The unit of a datapoint that is 1 or 0. The console shows its values as On and Off. */
export const ON_OFF = 'on/off'
