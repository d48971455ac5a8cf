// Light in linear units.

const vec3 sun_light = vec3(6.0, 5.0, 3.8);
const vec3 sky_light = vec3(0.55, 0.75, 1.1), ground_light = vec3(0.35, 0.3, 0.25);
const vec3 horizon = vec3(1.5, 1.45, 1.4), zenith = vec3(0.3, 0.6, 1.3);

vec3 sky_in(vec3 direction, vec3 sun) {
    const float up = max(direction.y, 0.0), toward = max(dot(direction, sun), 0.0);
    const vec3 sky = mix(horizon, zenith, 1.0 - pow(1.0 - up, 3.0));
    return sky + sun_light * (0.25 * pow(toward, 24.0) + 4.0 * pow(toward, 1500.0));
}

vec3 through_fog(vec3 color, vec3 from_eye, float fog, vec3 sun) {
    const float distance = length(from_eye), clear = exp(-fog * distance);
    vec3 direction = from_eye / max(distance, 1e-4);
    direction.y = max(direction.y, 0.0) * 0.3;
    return mix(sky_in(normalize(direction), sun), color, clear);
}
