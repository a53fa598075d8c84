/** Shows the OpenAPI document with Swagger UI. */
window.SwaggerUIBundle({
  url: '/cloud/openapi.json',
  dom_id: '#operations',
  // No validator on the internet is asked.
  validatorUrl: 'none',
  deepLinking: true,
  defaultModelsExpandDepth: 0,
  docExpansion: 'list',
});
