// What the page shows is in its address, so that a link shows the same: stream, row, target, paused, budget, dark. A token is
// taken from there, and kept for this tab alone: a link that is passed on does not have it.
import {useEffect, useState} from "preact/hooks";

export const address = () => Object.fromEntries(new URLSearchParams(location.hash.slice(1)));

export function goTo(change) {
  const next = Object.fromEntries(Object.entries({...address(), ...change}).filter(([, value]) => value));
  history.replaceState(null, "", `#${new URLSearchParams(next)}`);
  dispatchEvent(new HashChangeEvent("hashchange"));
}

export const token = () => sessionStorage.getItem("token");

export function keepToken(value) {
  sessionStorage.setItem("token", value);
  goTo({token: ""});
}

if (address().token) keepToken(address().token);

export function useAddress() {
  const [now, set] = useState(address());
  useEffect(() => {
    const read = () => set(address());
    addEventListener("hashchange", read);
    return () => removeEventListener("hashchange", read);
  }, []);
  return now;
}
