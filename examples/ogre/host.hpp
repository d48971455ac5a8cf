#pragma once

// The parts of a program with Ogre that do not depend on Weir: a window, Ogre with its Vulkan render system, and a
// scene with opaque meshes and transparent sprites.

#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include <Ogre.h>
#include <OgreVulkanDevice.h>
#include <OgreVulkanHardwareBuffer.h>
#include <OgreVulkanRenderSystem.h>
#define GLFW_INCLUDE_NONE
#define GLFW_EXPOSE_NATIVE_X11
#include <GLFW/glfw3.h>
#include <GLFW/glfw3native.h>

struct Sprite {
    std::array<float, 3> position;
    std::uint32_t color; ///< R8G8B8A8
    friend bool operator==(const Sprite&, const Sprite&) = default;
};

/// Returns sprites that fill a ring, with stripes in four colors. Coordinates are multiples of 1/64 and less than 8.
inline std::vector<Sprite> ring_of_sprites(std::uint32_t count) {
    constexpr std::array<std::uint32_t, 4> colors{0xFF2038D8, 0xFF40D0F8, 0xFFD85028, 0xFF68D858};
    std::uint32_t state = 1;
    const auto random = [&state] {
        state = state * 747796405U + 2891336453U;
        return (static_cast<float>(state >> 22U) - 512) / 64;
    };
    std::vector<Sprite> sprites;
    while (sprites.size() < count) {
        const float x = random(), y = random(), z = random();
        const float outwards = std::hypot(x, z) - 5.5F;
        if (std::hypot(outwards, y) < 1.8F) {
            const float quarters = (std::atan2(y, outwards) + std::atan2(z, x)) / 1.5708F;
            sprites.push_back({{x, y, z}, colors[static_cast<int>(quarters + 4) % 4]});
        }
    }
    return sprites;
}

/// Sprites that Ogre draws in the order of a vertex buffer.
class Sprites : public Ogre::SimpleRenderable {
public:
    Ogre::HardwareVertexBufferSharedPtr buffer; ///< a vertex for each sprite

    Sprites(const std::vector<Sprite>& sprites, Ogre::HardwareBufferUsage usage) {
        buffer = Ogre::HardwareBufferManager::getSingleton().createVertexBuffer(sizeof(Sprite), sprites.size(), usage);
        buffer->writeData(0, sprites.size() * sizeof(Sprite), sprites.data(), true);
        vertices_.vertexBufferBinding->setBinding(0, buffer);
        vertices_.vertexDeclaration->addElement(0, 0, Ogre::VET_FLOAT3, Ogre::VES_POSITION);
        vertices_.vertexDeclaration->addElement(0, 12, Ogre::VET_UBYTE4_NORM, Ogre::VES_DIFFUSE);
        vertices_.vertexCount = sprites.size();
        mRenderOp.vertexData = &vertices_;
        mRenderOp.operationType = Ogre::RenderOperation::OT_POINT_LIST;
        mRenderOp.useIndexes = false;
        setBoundingBox({-8, -8, -8, 8, 8, 8});
        setMaterial(Ogre::MaterialManager::getSingleton().getByName("sprites"));
    }
    [[nodiscard]] Ogre::Real getBoundingRadius() const override { return 14; }
    [[nodiscard]] Ogre::Real getSquaredViewDepth(const Ogre::Camera* camera) const override {
        return camera->getDerivedPosition().squaredLength();
    }

private:
    Ogre::VertexData vertices_;
};

/// A window of the operating system, which this render system of Ogre does not open itself.
class OsWindow {
public:
    OsWindow() {
        glfwInit();
        glfwWindowHint(GLFW_CLIENT_API, GLFW_NO_API);
        window_ = glfwCreateWindow(640, 360, "Ogre with Weir", nullptr, nullptr);
    }
    ~OsWindow() {
        glfwDestroyWindow(window_);
        glfwTerminate();
    }
    OsWindow(const OsWindow&) = delete;
    OsWindow& operator=(const OsWindow&) = delete;

    [[nodiscard]] std::string handle() const { return std::to_string(glfwGetX11Window(window_)); }
    /// Handles input. Returns true while the window stays open.
    [[nodiscard]] bool is_open() const {
        glfwPollEvents();
        return glfwWindowShouldClose(window_) == 0 && glfwGetKey(window_, GLFW_KEY_ESCAPE) != GLFW_PRESS;
    }

private:
    GLFWwindow* window_ = nullptr;
};

class Host {
public:
    OsWindow screen;
    Ogre::RenderWindow* window = nullptr;
    Ogre::Camera* camera = nullptr;

    Host() {
        root_.loadPlugin(OGRE_PLUGINS "/RenderSystem_Vulkan");
        root_.loadPlugin(OGRE_PLUGINS "/Plugin_GLSLangProgramManager");
        root_.loadPlugin(OGRE_PLUGINS "/Codec_STBI"); // writes PNG files
        root_.setRenderSystem(root_.getRenderSystemByName("Vulkan Rendering Subsystem"));
        root_.initialise(false);
        const Ogre::NameValuePairList options{{"externalWindowHandle", screen.handle()}};
        window = root_.createRenderWindow("Ogre with Weir", 640, 360, false, &options);
        auto& resources = Ogre::ResourceGroupManager::getSingleton();
        resources.addResourceLocation(RESOURCES, "FileSystem");
        resources.initialiseAllResourceGroups();

        scene_ = root_.createSceneManager();
        camera = scene_->createCamera("camera");
        camera->setNearClipDistance(0.1F);
        camera->setAutoAspectRatio(true);
        camera_node_ = scene_->getRootSceneNode()->createChildSceneNode();
        camera_node_->setFixedYawAxis(true);
        camera_node_->attachObject(camera);
        window->addViewport(camera)->setBackgroundColour(Ogre::ColourValue(0.06F, 0.06F, 0.08F));
        add_mesh(Ogre::SceneManager::PT_SPHERE, {0, 0, 0}, 5);
        add_mesh(Ogre::SceneManager::PT_CUBE, {0, 0, 5.5F}, 3.2F);
    }
    ~Host() { root_.destroyRenderTarget(window); } // before the device is destroyed
    Host(const Host&) = delete;
    Host& operator=(const Host&) = delete;

    [[nodiscard]] Ogre::VulkanDevice& device() {
        return *static_cast<Ogre::VulkanRenderSystem*>(root_.getRenderSystem())->getVulkanDevice();
    }
    void add(Ogre::MovableObject& object) { scene_->getRootSceneNode()->attachObject(&object); }

    /// Draws a frame of the camera's way around the scene.
    void draw(int frame) {
        const float angle = 0.02F * static_cast<float>(frame);
        camera_node_->setPosition(14 * std::sin(angle), 6, 14 * std::cos(angle));
        camera_node_->lookAt({0, -0.5F, 0}, Ogre::Node::TS_WORLD);
        root_.renderOneFrame();
    }

private:
    void add_mesh(const char* mesh, const Ogre::Vector3& position, float size) {
        Ogre::Entity* entity = scene_->createEntity(mesh);
        entity->setMaterialName("mesh");
        auto* node = scene_->getRootSceneNode()->createChildSceneNode(position);
        node->setScale(Ogre::Vector3(size / 100)); // the mesh has a diameter of 100
        node->attachObject(entity);
    }

    Ogre::Root root_{"", "", "ogre.log"};
    Ogre::SceneManager* scene_ = nullptr;
    Ogre::SceneNode* camera_node_ = nullptr;
};
