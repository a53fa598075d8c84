/** The HTML Not Found page that the interface answers for unknown paths. */

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

export function notFoundPage(path: string): string {
  const safe = path.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
  return `<!DOCTYPE HTML PUBLIC "-//IETF//DTD HTML 2.0//EN">
<html><head>
<title>404 Not Found</title>
</head><body>
<h1>Not Found</h1>
<p>The requested URL ${safe} was not found on this server.</p>
</body></html>
`;
}
