export const times = { tomorrow: 'tomorrow' } as const
