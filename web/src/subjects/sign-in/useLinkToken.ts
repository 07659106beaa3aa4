import { useEffect, useState } from 'react';
import { useNavigate } from 'react-router';

/** The token of a one-time link. It is in the fragment, which browsers never send, so no log has it. */
export function useLinkToken(page: string): string {
  const navigate = useNavigate();
  const [token] = useState(() => window.location.hash.slice(1));
  // Remove it from the address bar and the history: until it is used, the link is a credential.
  useEffect(() => {
    if (window.location.hash !== '') void navigate(page, { replace: true });
  }, [navigate, page]);
  return token;
}
