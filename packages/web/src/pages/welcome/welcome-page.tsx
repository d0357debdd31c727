import { ApiError } from '@plantroom/client/http'
import { useQuery } from '@tanstack/react-query'
import { useState, useSyncExternalStore } from 'react'
import { Redirect } from 'wouter'
import { session } from '../../api/service.ts'
import { Link } from '../../parts/link.tsx'
import { ErrorNotice, Loading } from '../../parts/notices.tsx'
import { FrontDoor } from '../../shell/front-door.tsx'
import { welcome as texts } from '../../texts/sign-in.ts'
import { WelcomeForm } from './welcome-form.tsx'

/** Behind the `#`, the token reaches neither logs nor proxies. */
function useTokenOfAddress(): string {
  const hash = useSyncExternalStore(
    (changed) => {
      window.addEventListener('hashchange', changed)
      return () => window.removeEventListener('hashchange', changed)
    },
    () => window.location.hash,
  )
  return hash.slice(1)
}

/** Where the link of an invitation leads: someone chooses their password. */
export function WelcomePage() {
  const token = useTokenOfAddress()
  const [accepted, setAccepted] = useState(false)
  const invitation = useQuery({
    queryKey: ['invitation', token],
    queryFn: () => session.invitation(token),
    enabled: token !== '',
    staleTime: Number.POSITIVE_INFINITY,
  })

  if (accepted) return <Redirect to="/" replace />
  if (token === '') return <NoInvitation title={texts.missing} hint={texts.missingHint} />
  if (invitation.data) {
    const { email } = invitation.data
    return (
      <FrontDoor title={texts.title} lead={texts.lead(email)}>
        <WelcomeForm key={token} token={token} email={email} onAccepted={() => setAccepted(true)} />
      </FrontDoor>
    )
  }
  const { error } = invitation
  if (error instanceof ApiError && error.status < 500) return <NoInvitation title={texts.over} hint={texts.overHint} />
  return (
    <FrontDoor title={texts.title}>
      {error ? <ErrorNotice error={error} retry={invitation.refetch} /> : <Loading />}
    </FrontDoor>
  )
}

function NoInvitation({ title, hint }: { title: string; hint: string }) {
  return (
    <FrontDoor title={title} lead={hint}>
      <Link to="/sign-in">{texts.toSignIn}</Link>
    </FrontDoor>
  )
}
