import { useQueryClient } from '@tanstack/react-query'

/** Reloads the factors of the person, and what their session may see with them. */
export function useFactorsChanged() {
  const client = useQueryClient()
  return async () => {
    for (const key of ['factors', 'sessions', 'session']) await client.invalidateQueries({ queryKey: [key] })
  }
}
