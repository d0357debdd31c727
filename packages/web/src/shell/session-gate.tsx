import { Container } from '@mantine/core'
import type { SignedIn } from '@plantroom/contract/roles'
import type { ReactNode } from 'react'
import { useSession } from '../api/use-session.ts'
import { SignInPage } from '../pages/sign-in/sign-in-page.tsx'
import { ErrorNotice, Loading } from '../parts/notices.tsx'

/** Whoever is not signed in is asked to, at the address that they came for. */
export function SessionGate({ children }: { children: (signedIn: SignedIn) => ReactNode }) {
  const session = useSession()
  if (session.data) return children(session.data)
  if (session.data === null) return <SignInPage />
  return (
    <Container component="main" size="sm" py="xl">
      {session.error ? <ErrorNotice error={session.error} retry={session.refetch} /> : <Loading />}
    </Container>
  )
}
