import { useMediaQuery } from '@mantine/hooks'

/** Whether there is room for a wide table; else its rows are cards. */
export function useRoomy(): boolean {
  return useMediaQuery('(min-width: 75em)', undefined, { getInitialValueInEffect: false })
}
